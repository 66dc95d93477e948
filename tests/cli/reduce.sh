# Tests hwtrace-info --partial and --reduce: the statistics of all shards are those of the whole trace.
. "$(dirname "$0")/lib.sh"
data=$2
cd "$work" || exit 1
command -v python3 >/dev/null || { skip "python3 is not installed"; finish; }

# Prints what differs between the statistics of a whole trace and the reduced ones, but for what is listed as not reduced.
cat >compare.py <<'PYTHON'
import json
import sys

whole, reduced = (json.load(open(path))["files"][0] for path in sys.argv[1:3])
missing = [entry["name"] for entry in reduced.pop("not_reduced", [])]
whole.pop("state"), reduced.pop("state")
for name in missing:
    if name == "percentiles":
        print("percentiles are not reduced")
    elif name.startswith("facts."):
        assert name[6:] not in reduced["facts"], name
        whole["facts"].pop(name[6:], None)
    else:
        assert name not in reduced, name
        whole.pop(name, None)
for name in [*whole, *(name for name in reduced if name not in whole)]:
    if whole.get(name) != reduced.get(name):
        print(name, json.dumps(whole.get(name)), json.dumps(reduced.get(name)))
PYTHON

# reduces TRACE N: checks that N shards reduce to what the whole trace gives.
reduces() {
    rm -f shard-*.json
    for i in $(seq "$2"); do
        "$bin/hwtrace-info" "$1" --shard "$i/$2" --partial -q >"shard-$i.json" 2>errors || {
            fail "$1, shard $i/$2: $(cat errors)"
            return
        }
    done
    "$bin/hwtrace-info" --reduce shard-*.json --format json >reduced.json 2>errors ||
        { fail "$1, $2 shards: $(cat errors)"; return; }
    differences=$(python3 compare.py whole.json reduced.json 2>&1)
    [ -z "$differences" ] || fail "$1, $2 shards: $(echo "$differences" | cut -c1-600 | head -5)"
    reduced=$((${reduced:-0} + 1))
}
for trace in "$data"/*/valid/*; do
    case $trace in *.hex | *.md | *.json) continue ;; esac
    "$bin/hwtrace-info" "$trace" --format json -q >whole.json 2>errors || continue
    "$bin/hwtrace-info" "$trace" --shard 1/2 --partial -q >shard-1.json 2>errors || {
        # Several harts have no common positions.
        grep -q "several harts\|one hart" errors || fail "$trace: $(cat errors)"
        continue
    }
    for shards in 2 3 8; do reduces "$trace" $shards; done
done
[ "${reduced:-0}" -ge 60 ] || fail "only ${reduced:-0} divisions were reduced"

# More shards than positions, and one shard only.
sum=$data/stf/valid/sum_small.stf
"$bin/hwtrace-info" "$sum" --format json >whole.json
reduces "$sum" 1
reduces "$sum" 200

# Text is as of the whole trace.
reduces "$sum" 3
expect 0 "$bin/hwtrace-info" --reduce shard-3.json shard-1.json shard-2.json
tr -s ' ' <stdout >squeezed
grep -q "inst_count 108" squeezed || fail "the text lacks the number of instructions"
says stdout "not reduced              profile: blocks"
says stdout "not checked as a whole"

# Wrong sets of shards are refused.
expect 2 "$bin/hwtrace-info" --reduce shard-1.json shard-3.json
says stderr "shard 2/3 is missing; make it: hwtrace-info $sum --shard 2/3 --partial"
expect 2 "$bin/hwtrace-info" --reduce shard-1.json shard-2.json
says stderr "shard 3/3 is missing"
expect 2 "$bin/hwtrace-info" --reduce shard-1.json shard-2.json shard-3.json shard-2.json
says stderr "are both shard 2/3"
"$bin/hwtrace-info" "$sum" --shard 2/4 --partial >other.json
expect 2 "$bin/hwtrace-info" --reduce shard-1.json other.json shard-3.json
says stderr "other.json is shard 2/4, but shard-1.json is shard 1/3"
{ stf_header; stf_instructions 5; } >core.stf
"$bin/hwtrace-info" core.stf --shard 2/3 --partial >other.json
expect 2 "$bin/hwtrace-info" --reduce shard-1.json other.json shard-3.json
says stderr "are statistics of different traces"
expect 4 "$bin/hwtrace-info" --reduce shard-1.json whole.json
says stderr "whole.json: not partial statistics"
echo '{"schema": "hwtrace-info-partial/1", "shard": [1, 1]}' >short.json
expect 4 "$bin/hwtrace-info" --reduce short.json
sed 's/"total": *"[0-9]*"/"total":"-1"/; s/"counters":\[/"counters":["x",/' shard-1.json >wrong.json
expect 4 "$bin/hwtrace-info" --reduce wrong.json shard-2.json shard-3.json
expect 5 "$bin/hwtrace-info" --reduce absent.json
expect 2 "$bin/hwtrace-info" "$sum" --partial
says stderr "needs one trace and --shard"
expect 2 "$bin/hwtrace-info" "$sum" --shard 1/2 --partial --reuse
expect 2 "$bin/hwtrace-info" --reduce shard-1.json --last 3

# A pipe is spooled.
"$bin/hwtrace-info" - --shard 2/3 --partial <"$sum" | sed 's/"file":"[^"]*"//' >piped.json
sed 's/"file":"[^"]*"//' shard-2.json >named.json
same piped.json named.json
finish
