"""The downloader, against a server on the loopback."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from bolt_core.benchmarks._download import fetch
from bolt_core.common.errors import DataError

BODY = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(BODY).hexdigest()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked += 1
        if self.path == "/missing.gz":
            self.send_error(404)
            return
        self.send_response(200)
        missing = 100 if self.path == "/cut.gz" else 0
        self.send_header("Content-Length", str(len(BODY) + missing))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *words):
        """Silence."""


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        http.asked = 0
        http.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield http
        http.shutdown()
        thread.join()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_good_file_arrives_whole_under_its_name(server, tmp_path):
    seen = []

    path = fetch(f"{server.url}/data.gz", SHA256, tmp_path / "new", lambda *at: seen.append(at))

    assert path == tmp_path / "new" / "data.gz"
    assert path.read_bytes() == BODY
    assert names(path.parent) == ["data.gz"]
    assert seen == sorted(seen)
    assert seen[-1] == (len(BODY), len(BODY))


def test_a_good_file_is_not_fetched_again_and_a_bad_one_is(server, tmp_path):
    for content in (BODY, b"broken"):
        (tmp_path / "data.gz").write_bytes(content)
        fetch(f"{server.url}/data.gz", SHA256, tmp_path)

    assert server.asked == 1
    assert (tmp_path / "data.gz").read_bytes() == BODY


def test_a_wrong_checksum_is_an_error_that_names_both_and_keeps_the_file_aside(server, tmp_path):
    with pytest.raises(DataError, match=f"{SHA256}, expected {'0' * 64}.*data.gz.unverified"):
        fetch(f"{server.url}/data.gz", "0" * 64, tmp_path)

    assert names(tmp_path) == ["data.gz.unverified"]


def test_a_broken_transfer_leaves_nothing_behind(server, tmp_path):
    with pytest.raises(DataError, match=f"{len(BODY)} of {len(BODY) + 100} bytes"):
        fetch(f"{server.url}/cut.gz", SHA256, tmp_path)

    assert names(tmp_path) == []


@pytest.mark.parametrize("path", ["/missing.gz", None], ids=["not found", "nobody there"])
def test_an_address_without_the_file_says_what_to_do(server, tmp_path, path):
    url = f"{server.url}{path}" if path else "http://127.0.0.1:9/data.gz"  # port 9: discard

    with pytest.raises(DataError, match="download it yourself"):
        fetch(url, SHA256, tmp_path)

    assert names(tmp_path) == []
