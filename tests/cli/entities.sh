# Tests µScope files with --uscope-protocol cpu: what a viewer of this protocol shows of intervals, and the way back.
. "$(dirname "$0")/lib.sh"
data=$2
cd "$work" || exit 1
if ! command -v python3 >/dev/null; then
    skip "there is no python3"
    exit 77
fi

# Reads records as a viewer of the protocol does: by names of tracks and positions of payloads, first `cpu` scope only.
cat >viewer.py <<'PYTHON'
import json, sys

def check(condition, what):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {what}")

def load(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][1:]  # without the head

def intervals(lines):
    """(begin, end, name) of each interval of a source, in ticks."""
    return sorted((l["time"], l["time"] + l["duration"], l["track"]) for l in lines if l["type"] == "interval")

def lives(lines):
    """(begin, end, stage) of each entity; checks what viewers need."""
    scopes = [l for l in lines if l["type"] == "scope" and l.get("protocol") == "cpu"]
    check(len(scopes) == 1 and "clock" in scopes[0], "no single cpu scope with a clock")
    tracks = {l["name"]: l for l in lines if l["type"] == "track" and l.get("scope") == scopes[0]["id"]}
    check([f["name"] for f in tracks["entities"]["fields"]][:2] == ["entity_id", "pc"], "fields of entities")
    check(tracks["entities"].get("sparse"), "entities is not sparse")
    slots = tracks["entities"]["slots"]
    for event, types in {"stage_transition": ["u32", "enum"], "annotate": ["u32", "text"],
                         "dependency": ["u32", "u32", "u8"], "flush": ["u32", "u8"]}.items():
        check([f["type"] for f in tracks[event]["fields"]] == types, f"payload of {event}")
    buffers = [l for l in lines if l["type"] == "track" and l.get("buffer")]
    check(buffers and all(b["name"] == "active" and b["sparse"] for b in buffers), "no buffers")
    alive, slot_of, found = {}, {}, []
    of = {l["id"]: name for name, l in tracks.items()}
    for line in lines:
        name = of.get(line.get("track_id")) if line["type"] in ("set", "clear", "event") else None
        if name == "entities" and line["type"] == "set" and line["field"] == "entity_id":
            check(line["slot"] == line["value"] % slots and line["slot"] not in slot_of, "slot")
            slot_of[line["slot"]] = line["value"]
            alive[line["value"]] = {"begin": line["time"]}
        elif name == "entities" and line["type"] == "set":
            alive[slot_of[line["slot"]]]["pc"] = line["value"]
        elif name == "entities":
            life = alive.pop(slot_of.pop(line["slot"]))
            check(life["pc"] != 0 and int(life["text"].split(":")[0], 16) == life["pc"], "label")
            check(life["text"].split(": ")[1].split(" ")[0] == life["stage"].split(" ")[0], "name in the label")
            found.append((life["begin"], line["time"], life["stage"]))
        elif name == "stage_transition":
            alive[line["fields"]["entity_id"]]["stage"] = line["fields"]["stage"]
        elif name == "annotate":
            alive[line["fields"]["entity_id"]]["text"] = line["fields"]["text"]
    check(not alive, "entities that never leave")
    return sorted(found)

source, shown, tick = load(sys.argv[1]), load(sys.argv[2]), int(sys.argv[3])
wanted = [(begin * tick, end * tick, name) for begin, end, name in intervals(source)]
check(wanted, "no intervals")
check(lives(shown) == wanted, "the viewer shows other intervals")
PYTHON

# shows FILE TICK FORMAT: the entities of the µScope file are the intervals of FILE, with ticks of TICK ps. A conversion
# to FORMAT is the same as without entities.
shows() {
    expect 0 "$bin/hwtrace-convert" "$1" shown.uscope --force --verify --allow-loss --uscope-protocol cpu
    expect 0 "$bin/hwtrace-validate" shown.uscope --level semantic --strict
    "$bin/hwtrace-dump" -q "$1" --view model --format jsonl >source.jsonl
    "$bin/hwtrace-dump" -q shown.uscope --view model --format jsonl >shown.jsonl
    expect 0 python3 viewer.py source.jsonl shown.jsonl "$2"
    expect 0 "$bin/hwtrace-dump" shown.uscope --view timeline
    # Without the option, the same trace comes back.
    expect 0 "$bin/hwtrace-convert" "$1" plain.uscope --force --allow-loss
    ! "$bin/hwtrace-dump" plain.uscope --view schema | grep -q 'protocol="cpu"' || fail "$1: entities by default"
    for file in shown plain; do
        expect 0 "$bin/hwtrace-convert" $file.uscope "$file.$3" --force --allow-loss
    done
    same "shown.$3" "plain.$3"
}
shows "$data/pccx/valid/npu.pccx" 1000 pccx
shows "$data/ftr/valid/soc.ftr" 1 ftr
shows "$data/txlog/valid/soc.txlog" 1 txlog
shows "$data/jsonl/valid/bus.jsonl" 1 ftr
expect 0 "$bin/hwtrace-dump" shown.uscope --view timeline
says stdout '"0x00000001: access id=0x2 load=0.1 gain=-1.5 level=2.25"'

# A trace that has the protocol already stays as it is.
expect 0 "$bin/hwtrace-convert" small.stf one.uscope --force
expect 0 "$bin/hwtrace-convert" small.stf two.uscope --force --uscope-protocol cpu
same one.uscope two.uscope
finish
