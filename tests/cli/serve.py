"""Asks hwtrace-serve for data in the current folder, for serve.sh.

usage: serve.py BIN
"""
import csv
import http.client
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

folder = sys.argv[1]
failures = 0


def check(is_good, text):
    global failures
    if not is_good:
        failures += 1
        print("FAILED:", text)


class Server:
    """hwtrace-serve on a free port."""

    def __init__(self, *arguments):
        # Shells start background processes with SIGINT ignored.
        self.process = subprocess.Popen(
            [folder + "/hwtrace-serve", "--listen", "127.0.0.1:0", *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        self.url = self.process.stdout.readline().strip()
        self.port = urllib.parse.urlsplit(self.url).port

    def get(self, path, headers=None, method="GET", **query):
        """Returns status, headers and body."""
        if query:
            path += "?" + urllib.parse.urlencode(query, doseq=True)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=100)
        connection.request(method, path, headers=headers or {})
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return reply.status, reply.headers, body

    def raw(self, data):
        """Sends bytes, and returns what comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(data)
            received = b""
            try:
                while part := connection.recv(65536):
                    received += part
            except ConnectionResetError:
                pass
            return received

    def end(self, number):
        self.process.send_signal(number)
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = "not at all"
        check(status == 0, f"ended by signal {number}: {status} {self.process.stderr.read()}")


def command(verb, *arguments):
    return subprocess.run([folder + "/hwtrace-" + verb, *arguments], capture_output=True, stdin=subprocess.DEVNULL)


files = ["sum.zstf", "soc.ftr", "npu.uscope", "npu.pccx", "some.flux", "odd & <name> 100%.ftr", "big.stf", "growing.stf", "pipeline.kanata",
         "bus.txlog"]
server = Server(*files)
has_query = os.path.exists(folder + "/hwtrace-query")

# The answers are what the commands print.
for number, file in enumerate(files):
    for form in ("json", "jsonl", "csv", "text"):
        if file == "big.stf" and form == "json":
            continue
        wanted = command("dump", file, "--format", form)
        status, headers, body = server.get("/api/dump", file=file if form != "csv" else number, format=form)
        check((status, body) == (200, wanted.stdout), f"{file} as {form}: {status} {body[:200]}")
        check(headers["X-Hwtrace-Truncated"] != "true", f"{file} as {form} is cut")
    status, headers, body = server.get("/api/info", file=file)
    check(body == command("info", file, "--format", "json").stdout, f"info of {file}: {status} {body[:200]}")
options = {"view": "model", "range": "2#:9#", "select": ["kind=interval", "track=*"]}
wanted = command("dump", "npu.pccx", "--format=csv", "--view=model", "--range=2#:9#", "--select=kind=interval", "--select=track=*")
check(server.get("/api/dump", file="npu.pccx", format="csv", **options)[2] == wanted.stdout and wanted.stdout.count(b"\n") > 3,
      "options of hwtrace-dump")

# Columns have the values of the lines.
status, headers, body = server.get("/api/dump", file="npu.pccx")
columns = json.loads(body)
lines = [json.loads(line) for line in command("dump", "npu.pccx", "--format", "jsonl").stdout.splitlines()][1:]
check(columns["rows"] == len(lines) > 10, f"rows of columns: {columns['rows']}")
check(all(len(values) == len(lines) for values in columns["columns"].values()), "columns of different lengths")
check([{name: values[row] for name, values in columns["columns"].items() if values[row] is not None}
       for row in range(len(lines))] == [{name: value for name, value in line.items() if value is not None} for line in lines],
      "columns have other values")

# Rows are delivered in pages.
whole = list(csv.reader(io.StringIO(command("dump", "npu.pccx", "--format", "csv").stdout.decode())))
pages, since = [], 0
while True:
    status, headers, body = server.get("/api/dump", file="npu.pccx", format="csv", limit=7, since=since)
    rows = list(csv.reader(io.StringIO(body.decode())))
    check(rows[0] == whole[0] and len(rows) <= 8, "a page has a head and at most 7 rows")
    pages += rows[1:]
    since = int(headers["X-Hwtrace-Next"])
    if headers["X-Hwtrace-Truncated"] == "false":
        break
check(pages == whole[1:] and since == len(pages), "pages differ from the whole")
check(server.get("/api/dump", file="npu.pccx", format="csv", limit=0)[2].count(b"\n") == 1, "a page without rows")
columns = json.loads(server.get("/api/dump", file="npu.pccx", limit=3, since=10**18)[2])
check(columns["rows"] == 0 and columns["columns"] == {} and not columns["truncated"], "a page beyond the end")

# The report is that of hwtrace-convert.
for name in ("soc.ftr", "1", urllib.parse.quote(files[5])):
    wanted = command("convert", "soc.ftr" if name != urllib.parse.quote(files[5]) else files[5], "-", "--to", "report", "-q")
    status, headers, body = server.get("/report/" + name)
    check(status == 200 and body == wanted.stdout and body.startswith(b"<!DOCTYPE html>"), f"report {name}: {status}")
    check("script-src 'unsafe-inline'" in headers["Content-Security-Policy"], "policy of the report")

if has_query:
    sql = "SELECT count(*) AS n, max(\"end\") AS last FROM \"read\""
    status, headers, body = server.get("/api/query", file="soc.ftr", sql=sql, format="jsonl")
    check(body == command("query", "soc.ftr", sql, "--format", "jsonl").stdout, f"query: {status} {body}")
    columns = json.loads(server.get("/api/query", file="soc.ftr", sql=sql)[2])["columns"]
    check(list(columns) == ["n", "last"] and columns["n"][0] > 0, f"columns of a query: {columns}")
    for wrong in ("SELECT nothing", "ATTACH 'stolen.db' AS stolen", "--list", "--elf=secret.stf"):
        status, headers, body = server.get("/api/query", file="soc.ftr", sql=wrong)
        check(status == 400, f"{wrong}: {status} {body}")
        if wrong.startswith("--"):  # a comment of SQL, not an option
            check(b"the text has no statement" in body, f"{wrong}: {body}")
    check(not os.path.exists("stolen.db"), "a query wrote a file")
    check(server.get("/api/query", file="soc.ftr", sql="-")[0] == 400, "SQL from standard input")
    status, headers, body = server.get("/api/query", file="soc.ftr", sql="SELECT length(hex(zeroblob(400000000)))")
    check(status == 413 and b"256 MiB" in body, f"a query that takes memory: {status} {body}")

# Wrong parameters are the CLI's usage errors.
for query in ({"view": "none"}, {"range": "5:1"}, {"select": "kind=none"}, {"first": "x"}, {"at": "-1"}):
    wanted = command("dump", "soc.ftr", "--format=jsonl", *(f"--{name}={value}" for name, value in query.items()))
    status, headers, body = server.get("/api/dump", file="soc.ftr", **query)
    message = wanted.stderr.decode().removeprefix("hwtrace-dump: ").removesuffix("\n")
    check(status == 400 and wanted.returncode == 2 and json.loads(body)["error"] == message, f"{query}: {status} {body} {message}")
for query in ({"format": "xml"}, {"since": "x"}, {"limit": "-1"}, {"format": "json", "limit": "5"}, {"elf": "secret.stf"}, {"o": "out"}, {"output": "out"},
              {"from": "stf"}, {"tmpdir": "/"}, {"follow": "1"}):
    status, headers, body = server.get("/api/dump", file="soc.ftr", **query)
    check(status == 400, f"{query}: {status} {body}")
check(server.get("/api/dump?file=soc.ftr&view=a%00b")[0] == 400, "a NUL byte")
check(server.get("/api/dump?file=soc.ftr&view=%zz")[0] == 400, "a broken escape")

# Only the named files exist.
for name in ("secret.stf", "../soc.ftr", os.path.abspath("soc.ftr"), "/etc/passwd", "..", "", "-", "10", "-1", "99999999999999999999",
             "soc.ftr/", "./soc.ftr", "soc.ftr\n"):
    for path in ("/api/dump", "/api/info"):
        check(server.get(path, file=name)[0] == 404, f"{path} of {name!r}")
    check(server.get("/report/" + urllib.parse.quote(name, safe=""))[0] == 404, f"report of {name!r}")
for path in ("/report/../../etc/passwd", "/report/..%2f..%2fetc/passwd", "/../etc/passwd", "/api", "/api/raw", "/report/", "//"):
    check(server.get(path)[0] == 404, path)

# Pages of other sites get nothing.
for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "evil.example:80"):
    check(server.get("/api/files", headers={"Host": host})[0] == 403, f"Host: {host}")
for host in ("localhost", "LOCALHOST:1", f"127.0.0.1:{server.port}", "[::1]:80"):
    check(server.get("/api/files", headers={"Host": host})[0] == 200, f"Host: {host}")
check(server.raw(b"GET /api/files HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403"), "no Host")
check(server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n").startswith(b"HTTP/1.1 400"), "two Hosts")
check(server.get("/api/files", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})[0] == 403, "cross-site")
check(server.get("/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})[0] == 200, "a link")
status, headers, body = server.get("/")
check("Access-Control-Allow-Origin" not in headers and headers["X-Content-Type-Options"] == "nosniff"
      and "default-src 'none'" in headers["Content-Security-Policy"], "headers")
check(b"odd &amp; &lt;name&gt; 100%.ftr" in body and b"<name>" not in body, "names are escaped")
check(b'<option value="5">odd &amp; &lt;name&gt; 100%.ftr' in body or not has_query, "the form names files by number")
check(server.get("/style.css")[0] == 200, "the style sheet")

# Requests are bounded.
check(server.raw(b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.1 431"), "a long request")
for garbage in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
                b"GET relative HTTP/1.1\r\nHost: localhost\r\n\r\n"):
    check(server.raw(garbage).startswith(b"HTTP/1.1 400"), f"{garbage}")
for method in ("POST", "PUT", "DELETE", "OPTIONS"):
    check(server.get("/", method=method)[0] == 405, method)
status, headers, body = server.get("/api/files", method="HEAD")
check(status == 200 and body == b"" and int(headers["Content-Length"]) > 0, "HEAD")

# A file that grows has a new ETag; rows that are new have their own page.
status, headers, body = server.get("/api/dump", file="growing.stf", format="jsonl")
etag, since = headers["ETag"], headers["X-Hwtrace-Next"]
check(server.get("/api/dump", headers={"If-None-Match": etag}, file="growing.stf")[0] == 304, "an unchanged file")
with open("growing.stf", "ab") as out:
    out.write(b"\xf0\x33\x07\xb6\x00" * 3)
status, headers, body = server.get("/api/dump", headers={"If-None-Match": etag}, file="growing.stf", format="jsonl", since=since)
check(status == 200 and headers["ETag"] != etag and body.count(b"\n") == 4, f"a grown file: {status} {body}")
with open("growing.stf", "ab") as out:
    out.write(b"\xf0\x33")
status, headers, body = server.get("/api/dump", file="growing.stf")
columns = json.loads(body)
check(status == 200 and columns["incomplete"] and "STF" in columns["messages"], f"a file cut off: {status} {body[-300:]}")
check(os.getcwd() not in columns["messages"], "a path is printed")
with open("growing.stf", "wb") as out:
    out.write(b"no trace")
check(server.get("/api/dump", file="growing.stf")[0] in (400, 422), "a file that is no trace any more")
os.remove("growing.stf")
check(server.get("/api/dump", file="growing.stf")[0] == 500, "a removed file")

# Several requests at the same time.
results = []
threads = [threading.Thread(target=lambda: results.append(server.get("/api/dump", file="npu.uscope", format="csv")[2])) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check(len(results) == 16 and set(results) == {command("dump", "npu.uscope", "--format", "csv").stdout}, "concurrent requests")

# Idle connections do not keep the server from answering for longer than their deadline.
idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(6)]
begin = time.monotonic()
check(server.get("/api/files")[0] == 200 and time.monotonic() - begin < 20, "idle connections")
for connection in idle:
    connection.close()
server.end(signal.SIGINT)

# Limits of rows and time; a request that lasts does not delay the end.
slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
server = Server("big.stf", "soc.ftr", "--max-rows", "50", "--timeout", "1", "--host", "Traces.Example", "-q")
status, headers, body = server.get("/api/dump", file="big.stf", format="jsonl", limit=1000)
check(body.count(b"\n") <= 51 and headers["X-Hwtrace-Truncated"] == "true", "more rows than --max-rows")
check(server.get("/", headers={"Host": "traces.example:80"})[0] == 200, "--host")
if has_query:
    status, headers, body = server.get("/api/query", file="soc.ftr", sql=slow)
    check(status == 504 and "longer than 1 s" in json.loads(body)["error"], f"a slow query: {status} {body}")
server.end(signal.SIGTERM)
if has_query:
    server = Server("soc.ftr")
    thread = threading.Thread(target=lambda: server.raw(
        f"GET /api/query?file=0&sql={urllib.parse.quote(slow)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()))
    thread.start()
    time.sleep(1)
    begin = time.monotonic()
    server.end(signal.SIGTERM)
    check(time.monotonic() - begin < 5, "a request delays the end")
    thread.join()

    # A command ends when its client goes away, also if the client has sent more than its request.
    server = Server("soc.ftr")
    children = lambda: open(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read() + "".join(
        open(f"/proc/{server.process.pid}/task/{task}/children").read() for task in os.listdir(f"/proc/{server.process.pid}/task"))
    for rest in (b"", b"GET / HTTP/1.1\r\n"):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(f"GET /api/query?file=0&sql={urllib.parse.quote(slow)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        begin = time.monotonic()
        while not children() and time.monotonic() - begin < 10:
            time.sleep(0.1)
        check(children(), "no command is started")
        client.sendall(rest)
        time.sleep(0.3)
        client.close()
        begin = time.monotonic()
        while children() and time.monotonic() - begin < 10:
            time.sleep(0.1)
        check(not children(), f"a command goes on without its client, after {rest}")
    server.end(signal.SIGTERM)

# A port in use is an error.
with socket.socket() as taken:
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    failed = command("serve", "soc.ftr", "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    check(failed.returncode == 5 and b"Address already in use" in failed.stderr, f"a port in use: {failed}")
sys.exit(1 if failures else 0)
