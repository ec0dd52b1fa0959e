"""GET from an ASGI application, without a server: starlette's own test client wants httpx."""

import asyncio
import gzip
import json
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit


@dataclass
class Answer:
    status_code: int
    headers: dict
    body: bytes

    @property
    def content(self):
        packed = self.headers.get("content-encoding") == "gzip"
        return gzip.decompress(self.body) if packed else self.body

    @property
    def text(self):
        return self.content.decode()

    def json(self):
        return json.loads(self.content)


def get(app, url, **headers):
    return asyncio.run(_get(app, url, headers))


async def _get(app, url, headers):
    parts, sent, sent_all = urlsplit(url), [], []
    scope = {
        "type": "http", "method": "GET", "http_version": "1.1", "scheme": "http",
        "path": unquote(parts.path), "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(), "root_path": "", "server": ("test", 80),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip

    async def receive():
        if sent_all:
            await asyncio.Future()  # the client stays: it never disconnects
        sent_all.append(True)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    headers_sent = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers_sent, b"".join(m.get("body", b"") for m in sent[1:]))
