"""Compares the tables of hwtrace-query and of a database with the records that hwtrace-dump prints.

usage: query_rows.py BIN FOLDER TRACE...
"""
import json
import os
import sqlite3
import subprocess
import sys

# By kind of row, the type of the records that become rows. Rows of storages are sums of several records.
RECORDS = {"event": "event", "interval": "interval", "relation": "relation", "instruction": "instruction",
           "change": "change", "note": "note", "native": "native"}
U63 = 1 << 63


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # 3: incomplete or lossy, but the readable records are there
    assert done.returncode in (0, 3), f"{' '.join(command)}: exit {done.returncode}: {done.stderr.decode()}"
    return done.stdout


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def results(tool, trace, sql):
    document = json.loads(run(tool, trace, "--format", "json", "--allow-incomplete", sql))
    assert document["schema"] == "hwtrace-query/1"
    return document["results"]


def plain(value):
    """A value of SQL as JSON shows it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def sums(rows):
    """Count, and sum of the numbers, of each column."""
    columns = {}
    for row in rows:
        for name, value in row.items():
            if isinstance(value, str) and value.isdigit() and int(value) >= U63:
                value = int(value)
            if isinstance(value, bool) or not isinstance(value, int):
                continue
            known = columns.setdefault(name, [0, 0])
            known[0] += 1
            known[1] += value
    return columns


def check(tool_folder, folder, trace):
    query = os.path.join(tool_folder, "hwtrace-query")
    tracks = results(query, trace, "SELECT name, row, path FROM tracks")[0]["rows"]
    lines = run(os.path.join(tool_folder, "hwtrace-dump"), "--view", "model", "--format", "jsonl", "--allow-incomplete",
                trace).decode()
    records = {}
    kinds = {}
    for line in lines.splitlines():
        item = json.loads(line)
        if item.get("type") == "track":
            kinds[item["id"]] = item
        elif "track_id" in item:
            records.setdefault(item["track_id"], []).append(item)
    if not tracks:
        assert not records, f"{trace}: no table, but records"
        return 0
    tables = results(query, trace, ";".join(f"SELECT * FROM {quoted(name)}" for name, _, _ in tracks))
    database = os.path.join(folder, "rows.db")
    run(os.path.join(tool_folder, "hwtrace-convert"), "-q", "--force", "--allow-incomplete", trace, database)
    connection = sqlite3.connect(database)
    connection.text_factory = lambda text: text.decode("utf-8")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    track = -1
    for (name, row, _), table in zip(tracks, tables):
        if row != "properties":
            track += 1
        stored = connection.execute(f"SELECT * FROM {quoted(name)}").fetchall()
        assert [list(map(plain, line)) for line in stored] == table["rows"], f"{trace}: {name}: other rows in {database}"
        if row not in RECORDS:
            continue
        found = [r for r in records.get(track, []) if r["type"] == RECORDS[row]]
        assert len(found) == len(table["rows"]), f"{trace}: {name}: {len(table['rows'])} rows of {len(found)} records"
        rows = [dict(zip(table["columns"], line)) for line in table["rows"]]
        time = "begin" if row == "interval" else "position" if "position" in table["columns"] else "time"
        assert sum(r[time] for r in rows) == sum(r["time"] for r in found), f"{trace}: {name}: times"
        if row == "interval":
            length = sum(int(r["duration"]) for r in rows)
            assert length == sum(r["duration"] for r in found), f"{trace}: {name}: durations"
        of_rows = sums(rows)
        members = [{"pc": r["pc"], "size": r["size"]} if row == "instruction" else
                   r.get("attributes", r.get("fields", {})) for r in found]
        fields = kinds.get(track, {}).get("fields", [])
        declared = [field["name"] for field in fields]
        # Of equal labels, one is a number; true and false are no numbers.
        labelled = {field["name"] for field in fields if field["type"] in ("enum", "bool")}
        for column, known in sums([m for m in members if isinstance(m, dict)]).items():
            # A field whose name is taken has another name in the table.
            is_plain = declared.count(column) <= 1 and column not in labelled and column.lower() not in ("begin", "end", "duration", "time", "position")
            if is_plain and all(isinstance(m, dict) for m in members) and column in table["columns"]:
                assert of_rows.get(column) == known, f"{trace}: {name}.{column}: {of_rows.get(column)} is not {known}"
    return len(tracks)


def main():
    count = sum(check(sys.argv[1], sys.argv[2], trace) for trace in sys.argv[3:])
    print(f"{count} tables of {len(sys.argv) - 3} traces have the rows that their records make")
    assert count > 0


main()
