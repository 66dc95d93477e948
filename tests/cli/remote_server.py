"""A web server with faults, for remote.sh. It serves the files of a folder; the first part of a path chooses how:
/ranges/FILE is a well-behaved server, the others are below. /stats returns the counts of requests and bytes since
/reset.

usage: remote_server.py FOLDER PORT_FILE
"""
import http.server
import json
import os
import re
import sys
import threading
import time

folder = sys.argv[1]
lock = threading.Lock()
stats = {"requests": 0, "bytes": 0}
seen = {}  # path: how often it was requested


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def plain(self, status, body=b"", headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send(self, data):
        """Sends and counts bytes of a body."""
        try:
            for at in range(0, len(data), 65536):
                self.wfile.write(data[at:at + 65536])
                with lock:
                    stats["bytes"] += len(data[at:at + 65536])
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/stats":
            return self.plain(200, json.dumps(stats).encode())
        if path == "/reset":
            with lock:
                stats.update(requests=0, bytes=0)
                seen.clear()
            return self.plain(200)
        with lock:
            stats["requests"] += 1
            seen[path] = count = seen.get(path, 0) + 1
        _, how, name = path.split("/", 2)
        if how == "redirect":
            return self.plain(302, headers=[("Location", "/ranges/" + name)])
        if how == "redirect-file":
            return self.plain(302, headers=[("Location", "file:///etc/passwd")])
        if how == "redirect-loop":
            return self.plain(302, headers=[("Location", self.path)])
        if how.startswith("status-"):
            return self.plain(int(how[7:]), b"<html>secret-page</html>")
        if how == "busy" and count <= 2:
            return self.plain(503, headers=[("Retry-After", "0")])
        if how == "endless-headers":
            self.send_response(206)
            while True:
                self.send_header("X", "x" * 1000)
                self.flush_headers()
        if how == "slow-headers":
            self.send_response(206)
            for _ in range(100):
                self.send_header("X", "x")
                self.flush_headers()
                time.sleep(0.5)
        if how == "cut-headers":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Le")
            self.close_connection = True
            return None
        if how == "old":
            self.wfile.write(b"a server of HTTP/0.9")
            self.close_connection = True
            return None
        if how == "silent":
            self.send_response(206)
            self.end_headers()
            self.wfile.flush()
            time.sleep(8)
            self.close_connection = True
            return None
        self.deliver(how, os.path.join(folder, os.path.basename(name)), count)

    def deliver(self, how, file, count):
        size = os.path.getsize(file)
        if how == "slow":
            time.sleep(float(os.environ.get("DELAY", "0.02")))
        later = count > 1
        etag = '"second"' if how in ("changed", "changed-200") and later else 'W/"weak"' if how == "weak" else '"first"'
        if self.headers.get("If-Match") not in (None, etag) and how != "changed-200":
            return self.plain(412)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if how.startswith("whole") or wanted is None or (how in ("later-whole", "changed-200") and later):
            return self.whole(how, file, size, etag)
        begin, end = int(wanted[1]), min(int(wanted[2]) + 1, size)
        if how == "rangeless" and size == 0:
            return self.plain(416)
        if begin >= size:
            return self.plain(416, headers=[("Content-Range", f"bytes */{size}")])
        if how == "part":  # fewer bytes than were requested, which is allowed
            end = min(end, begin + 100000)
        stated = f"bytes {begin}-{end - 1}/{size}"
        if how == "moved" and later:
            stated = f"bytes {begin + 1}-{end}/{size + 9}"
        if how == "shifted" and later:
            begin, end = begin - 5, end - 5
            stated = f"bytes {begin}-{end - 1}/{size}"
        if how == "grown" and later:
            stated = f"bytes {begin}-{end - 1}/{size + 1}"
        if how == "garbage":
            stated = "bytes first-last/all"
        if how == "sizeless":
            stated = f"bytes {begin}-{end - 1}/*"
        if how == "enormous":
            stated = f"bytes {begin}-{end - 1}/{2**62}"
        with open(file, "rb") as source:
            source.seek(begin)
            data = source.read(end - begin)
        if how == "short":
            data = data[:len(data) // 2]
        if how == "long":
            data += b"more"
        self.send_response(206)
        if how != "unstated":
            self.send_header("Content-Range", stated)
        if how == "gzip":
            self.send_header("Content-Encoding", "gzip")
        if how not in ("grown", "nameless"):
            self.send_header("ETag", etag)
        if how == "unended":  # all bytes arrive, but the last chunk does not
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.close_connection = True
            return self.send(b"%x\r\n%b\r\n" % (len(data), data))
        if how == "trailer":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            trailers = b"ETag: \"trailer\"\r\nContent-Range: bytes 1-2/3\r\n\r\n"
            return self.send(b"%x\r\n%b\r\n0\r\n" % (len(data), data) + trailers)
        self.send_header("Content-Length", str(len(data) + 5 if how == "unfinished" else len(data)))
        self.end_headers()
        self.close_connection = how == "unfinished"
        if (how == "flaky" and count % 2) or how == "dying":  # cuts the connection
            data = data[:10 if how == "dying" else len(data) // 2]
            self.close_connection = True
        self.send(data)

    def whole(self, how, file, size, etag):
        self.send_response(200)
        self.send_header("ETag", etag)
        if how == "whole-chunked":
            self.send_header("Transfer-Encoding", "chunked")
        elif how != "whole-unsized":
            self.send_header("Content-Length", str(size))
        self.end_headers()
        with open(file, "rb") as source:
            data = source.read()
        if how == "whole-cut":
            data = data[:size // 2]
        if how == "whole-chunked":
            for at in range(0, len(data), 50000):
                part = data[at:at + 50000]
                self.send(b"%x\r\n%b\r\n" % (len(part), part))
            self.send(b"0\r\n\r\n")
            return
        self.close_connection = how in ("whole-cut", "whole-unsized")
        self.send(data)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):  # a client that goes away is no error
        pass


server = Server(("127.0.0.1", 0), Handler)
with open(sys.argv[2] + ".new", "w") as out:
    out.write(str(server.server_address[1]))
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
