"""Checks the document of an HTML report after its script has run.

usage: report_page.py DOM INFO.json         the numbers are those of hwtrace-info --format json
       report_page.py DOM --texts TEXT...   the page shows these texts
       report_page.py DOM --table ID COLUMN...   prints these columns of the visible rows of a table
"""
import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    """Collects facts (data-key), the rows of tables with ids, and scripts."""

    def __init__(self):
        super().__init__()
        self.root, self.facts, self.tables, self.texts, self.scripts = {}, {}, {}, [], 0
        self.table = self.row = None
        self.in_script = False

    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        if tag == "html":
            self.root = have
        if tag == "script":
            self.scripts += 1
            self.in_script = True
        if tag in ("img", "iframe", "link", "object"):
            raise SystemExit(f"the page has an element {tag}")
        if "data-key" in have:
            self.facts.setdefault(have["data-key"], have.get("data-value"))
        if tag == "table":
            self.table = self.tables.setdefault(have.get("id"), [])
        if tag == "tr" and "data-row" in have:
            self.row = {}
            self.table.append(self.row)
        if tag == "td" and self.row is not None:
            self.row[have["data-column"]] = have["data-value"]

    def handle_endtag(self, tag):
        if tag == "tr":
            self.row = None
        if tag == "script":
            self.in_script = False

    def handle_data(self, data):
        if not self.in_script:
            self.texts.append(data)


faults = []


def equal(what, found, wanted):
    if str(found) != str(wanted):
        faults.append(f"{what}: the page has {found}, hwtrace-info has {wanted}")


def compare(page, info):
    model = info["model"]
    equal("records", page.facts.get("records"), model["records"])
    kinds = {row["kind"]: row["count"] for row in page.tables.get("kinds", [])}
    equal("kinds", sorted(kinds.items()), sorted((kind, str(count)) for kind, count in model.items() if kind != "records"))
    compared = 2
    types = {(row["scope"], row["type"]): row for row in page.tables.get("types", [])}
    for track in info.get("intervals", {}).get("tracks", []):
        row = types.get((track["scope"], track["name"]))
        if track["intervals"] == 0:
            continue
        if row is None:
            faults.append(f"type {track['scope']}/{track['name']} is missing")
            continue
        for column, key in (("count", "intervals"), ("least", "shortest"), ("p50", "median"), ("greatest", "longest")):
            equal(f"{track['name']} {column}", row[column], track[key])
            compared += 1
    loads = {(row["scope"], row["label"]): row for row in page.tables.get("utilisation-table", [])}
    for track in info.get("activity", {}).get("scopes", []):
        row = loads.get((track["name"], "any interval"))
        if row is not None:
            equal(f"busy time of {track['name']}", row["busy"], track["busy"])
            compared += 1
    events = {(row["scope"], row["label"]): row for row in page.tables.get("events-table", [])}
    for event in info.get("statistics", {}).get("events", []):
        if event["count"] != 0:
            equal(f"event {event['name']}", events.get((event["scope"], event["name"]), {}).get("records"), event["count"])
            compared += 1
    counters = info.get("instructions", {}).get("counters")
    if counters:
        equal("instructions", page.facts.get("instructions"), counters["inst_count"])
        accesses = int(page.facts.get("loads", 0)) + int(page.facts.get("stores", 0))
        equal("accesses", accesses, counters["mem_access_count"])
        compared += 2
    numbers = {(row["scope"], row["label"]): row for row in page.tables.get("numbers-table", [])}
    for counter in info.get("statistics", {}).get("counters", []):
        row = numbers.get((counter["scope"], counter["name"]))
        if row is not None:
            equal(f"counter {counter['name']}", row["last"], counter["value"])
            compared += 1
    for signal in info.get("signals", []):
        if len(signal["members"]) != 1 or "least" not in signal["members"][0]:
            continue
        row = numbers.get((signal["scope"], signal["name"]), {})
        for column, value in (("values", signal["changes"]), ("least", signal["members"][0]["least"]), ("greatest", signal["members"][0]["greatest"])):
            equal(f"signal {signal['name']} {column}", row.get(column), value)
            compared += 1
    if compared < 4:
        faults.append(f"only {compared} numbers were compared")
    return compared


page = Page()
with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as file:
    page.feed(file.read())
if page.root.get("data-ready") != "yes":
    faults.append("the script did not run to its end")
if "data-error" in page.root:
    faults.append("error: " + page.root["data-error"])
if page.scripts != 2:
    faults.append(f"{page.scripts} scripts instead of the data and the script")
if sys.argv[2] == "--table":
    for row in page.tables.get(sys.argv[3], []):
        print("\t".join(row[column] for column in sys.argv[4:]))
elif sys.argv[2] == "--texts":
    shown = " ".join(page.texts)
    faults += [f"the page does not show {text!r}" for text in sys.argv[3:] if text not in shown]
    print(f"{len(sys.argv) - 3} texts were looked for")
else:
    with open(sys.argv[2], encoding="utf-8") as file:
        print(compare(page, json.load(file)["files"][0]), "numbers were compared")
for fault in faults:
    print("  " + fault)
sys.exit(1 if faults else 0)
