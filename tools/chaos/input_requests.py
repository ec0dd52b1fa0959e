"""Hostile requests to a real server: only answers below 500, and no traceback in its log."""

import http.client
import random
import socket
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote, urlencode

from websockets.exceptions import WebSocketException

from bolt_core.charts.chart_registry import CHARTS
from tools.chaos.input_pages import PARAMETERS, link, value
from tools.chaos.report import Check
from tools.chaos.visitor import Visitor
from tools.chaos.web import HOST, Server

Cases = Iterator[tuple[str, random.Random]]
METHODS = ("GET",) * 8 + (
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "BREW",
    "G\x01T",
)
PATHS = (
    *(
        "/",
        "/arena",
        "/bolt-api/frames",
        "/bolt-api/",
        "/bolt-operator",
        "/bolt-assets/plotly.min.js",
    ),
    *(
        "/bolt-assets/x/panel.js",
        "/bolt-assets/x/../../app.py",
        "/bolt-assets/%2e%2e/%2e%2e/app.py",
    ),
    *("/bolt-assets//etc/passwd", "/_stcore/health", "/_stcore/stream", "/_stcore/host-config"),
    *(
        "/_stcore/upload_file/x/y",
        "/media/x",
        "/static/x",
        "/runs",
        "/inside",
        "/%00",
        "/%ff",
        "//",
    ),
    *("/app/static/../../app.py", "/a" * 500, "*", "http://evil.example/", "/\N{SNOWMAN}", "/..;/"),
)
HEADERS = (
    *(
        ("Host", "evil.example"),
        ("Host", ""),
        ("Host", "localhost"),
        ("Host", "[::1"),
        ("Host", "a" * 999),
    ),
    *(
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://localhost"),
        ("Origin", "://"),
    ),
    *(
        ("Cookie", "bolt_operator=guess"),
        ("Cookie", "bolt_owner="),
        ("Cookie", "=;=;;bolt_owner=\xff"),
    ),
    *(("Cookie", "bolt_operator=\xe9"), ("Cookie", "_streamlit_xsrf=x; _streamlit_user=y")),
    *(
        ("Accept-Encoding", "gzip;q=x"),
        ("Range", "bytes=5-1"),
        ("Range", "bytes=0-1,3-4,9-"),
        ("Range", "x"),
    ),
    *(("Content-Length", "-1"), ("Content-Length", "99999999"), ("Transfer-Encoding", "chunked")),
    *(
        ("If-None-Match", "\xff"),
        ("If-Modified-Since", "never"),
        ("Content-Type", "multipart/form-data"),
    ),
    *(("Upgrade", "websocket"), ("X-Forwarded-For", "1.2.3.4"), ("Expect", "100-continue")),
)
ANSWER_SECONDS = 10.0


def requests(check: Check, cases: Cases, server: Server) -> None:
    """Send requests with odd methods, paths, headers and parameters of charts."""
    statuses: Counter[str] = Counter()
    connection = _connection(server)
    for label, rng in cases:
        if rng.random() < 0.6:
            path = _chart_path(rng)
            try:
                status = _get(connection, path)
            except (http.client.HTTPException, OSError):  # the server may have closed it
                connection.close()
                connection = _connection(server)
                status = _get(connection, path)
        else:
            status = _send(server, rng)
        statuses[status] += 1
        check.expect(not status.startswith("5"), f"{label}: {status}")
    connection.close()
    _check_server(check, server)
    check.figures = ", ".join(f"{count} x {status}" for status, count in statuses.most_common(8))


def _connection(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(HOST, server.port, timeout=ANSWER_SECONDS)


def _chart_path(rng: random.Random) -> str:
    """Return the address of charts, of the bundled race or another, with hostile parameters."""
    pairs = [("race", rng.choice(("recorded", "recorded", value(rng))))]
    for _number in range(rng.choice((0, 1, 1, 2, 5, 30))):
        chart = rng.choice((*CHARTS, value(rng)))
        view = rng.choice(("", "x:iterations", "show:bolt.0", value(rng)))
        pairs.append(
            ("c", rng.choice((f"{chart};{view};{rng.choice(('', '0', '-1', value(rng)))}", chart)))
        )
    pairs += [(name, value(rng)) for name in ("at", "run", "c") if rng.random() < 0.3]
    return f"/bolt-api/frames?{urlencode(pairs, errors='replace')}"


def _get(connection: http.client.HTTPConnection, path: str) -> str:
    connection.request("GET", path)
    reply = connection.getresponse()
    reply.read()
    return str(reply.status)


def _send(server: Server, rng: random.Random) -> str:
    """Send a request that http.client would refuse to send, and read the status line."""
    method, path = rng.choice(METHODS), rng.choice(PATHS)
    if rng.random() < 0.4:
        text = value(rng)
        path += "?" + rng.choice(
            (text, quote(text, errors="replace"), f"token={quote(text)}", "&" * 99)
        )
    path = (
        path if rng.random() < 0.3 else "".join(c if 32 < ord(c) < 127 else quote(c) for c in path)
    )
    lines = [f"{method} {path} HTTP/{rng.choice(('1.1', '1.1', '1.1', '1.0', '9.9'))}"]
    chosen = rng.sample(HEADERS, rng.randrange(3))
    names = {name for name, _ in chosen}
    lines += [f"{name}: {text}" for name, text in chosen]
    lines += [] if "Host" in names else [f"Host: {HOST}:{server.port}"]
    request = ("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode(errors="replace")
    try:
        with socket.create_connection((HOST, server.port), timeout=ANSWER_SECONDS) as raw:
            raw.sendall(request)
            raw.shutdown(socket.SHUT_WR)
            answer = raw.recv(4096).split(b"\r\n")[0].split()
    except ConnectionError:
        return "closed"
    return answer[1].decode(errors="replace") if len(answer) > 1 else "closed"


def websockets(check: Check, cases: Cases, server: Server) -> None:
    """Open pages over websockets with hostile links, garbage as messages, and leave halfway."""
    results: Counter[str] = Counter()
    for label, rng in cases:
        try:
            result, problems = _visit(server, rng)
        except (WebSocketException, OSError) as problem:
            result, problems = type(problem).__name__, []
        results[result] += 1
        check.expect(not problems, f"{label}: {problems}"[:2000])
    _check_server(check, server)
    check.figures = ", ".join(f"{count} {result}" for result, count in results.most_common())


def _visit(server: Server, rng: random.Random) -> tuple[str, list[str]]:
    origin = rng.choice((None, None, None, None, "http://evil.example", "null"))
    with Visitor(server.port, origin=origin) as visitor:
        choice = rng.randrange(5)
        if choice == 0:
            visitor.send(rng.randbytes(rng.randrange(200)))
            return "garbage", []
        page = rng.choice(list(PARAMETERS))
        query = urlencode(link(page, rng), errors="replace")
        if choice == 1:
            visitor.leave_early(page, query)
            return "left early", []
        visitor.open("" if page == "arena" else page, query)
        return "pages", visitor.exceptions


def _check_server(check: Check, server: Server) -> None:
    check.expect(server.alive, "the server does not answer any more")
    tracebacks = Counter(server.tracebacks())
    check.expect(not tracebacks, f"tracebacks in the server's log: {tracebacks.most_common(5)}")
