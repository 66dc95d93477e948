# Tests what converted files say to programs that know nothing of hwtrace. The decoders in decoders/ are written from
# the pages of the formats and ignore everything that hwtrace adds for its own way back. Wherever a conversion reports
# no loss, the decoded values, times and names must be those of the source.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)/decoders
python=${PYTHON:-/usr/bin/python3}
data=$(cd "$2" && pwd)
cd "$work" || exit 1

command -v "$python" >/dev/null || { skip "there is no Python"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
# Losses that concern no record.
harmless='lost: metadata-dropped |lost: part-dropped timescale'
tab=$(printf '\t')

# sources FORMAT...: prints the valid traces of these formats, and the files of the corpus that have at most 4 KiB.
# Larger files take minutes in Python.
sources() {
    for source; do
        find "$data/$source/valid" "assembled/$source" -type f ! -name '*.hex' 2>/dev/null | sort
        [ -d "${HWTRACE_CORPUS:-}/$source" ] || continue
        find "$HWTRACE_CORPUS/$source" -name "*.$source" -size -9 | sort
    done
}
# plan FORMAT OPTIONS SOURCES...: adds the conversions of SOURCES to FORMAT to the file `plan`.
plan() {
    format=$1 options=$2
    shift 2
    sources "$@" | sampled | sed "s|\$|$tab$format$tab$options|" >>plan
}
# convert_all WORKER: converts the sources of plan.WORKER. A line of pairs.WORKER for each conversion that loses no
# record states the format, the source, its model and the output. A model is dumped once for all formats.
convert_all() {
    mkdir "models.$1" "out.$1"
    while IFS=$tab read -r source format options; do
        name=$(printf '%s' "$source" | tr / _)
        # shellcheck disable=SC2086 # words
        "$bin/hwtrace-convert" "$source" "out.$1/$name.$format" --to "$format" $options --allow-loss -f >/dev/null 2>"told.$1" </dev/null || continue
        ! grep ' lost: ' "told.$1" | grep -qvE "$harmless" || continue
        model=models.$1/$name
        if ! [ -f "$model" ]; then
            "$bin/hwtrace-dump" "$source" --view model --format jsonl >"dump.$1" 2>/dev/null </dev/null || continue
            mv "dump.$1" "$model"
        fi
        printf '%s\t%s\t%s\t%s\n' "$format" "$source" "$model" "out.$1/$name.$format"
    done <"plan.$1" >"pairs.$1"
}

for text in "$data"/*/valid/*.hex; do
    folder=$(basename "$(dirname "$(dirname "$text")")")
    mkdir -p "assembled/$folder"
    "$python" "$here/unhex.py" "$text" "assembled/$folder/$(basename "$text" .hex).$folder" 2>/dev/null
done

# check FORMAT LEAST: compares the outputs of FORMAT with their sources. At least LEAST lose no records.
check() {
    awk -F "$tab" -v format="$1" -v OFS="$tab" '$1 == format { print $2, $3, $4 }' pairs.* >"list.$1"
    "$python" "$here/facts.py" "$1" "list.$1" >"result.$1" 2>&1 || fail "facts.py $1: $(tail -n 1 "result.$1")"
    sed '$d' "result.$1" >differences
    while read -r line; do fail "$line"; done <differences
    echo "$1: $(tail -n 1 "result.$1")"
    files=$(sed -n '$s/ files, .*//p' "result.$1")
    [ "${files:-0}" -ge "$(at_least "$2")" ] || fail "only $files files convert to $1 without a loss"
}

plan uscope '' uscope pccx ftr txlog jsonl
plan pccx '' pccx flux jsonl ftr
plan kanata '' kanata uscope
[ -z "${HWTRACE_CORPUS:-}" ] || printf '%s\tkanata\t\n' "$HWTRACE_CORPUS/uscope/logs/kanata-basic.log" >>plan
plan o3pipeview '' o3pipeview
plan txlog '' txlog ftr jsonl
plan stf '--stf-container plain' stf jsonl ftr uscope

# One worker does all conversions of a source.
awk -F "$tab" '!($1 in worker) { worker[$1] = ++sources % 2 + 1 } { print >"plan." worker[$1] }' plan
for worker in 1 2; do convert_all "$worker" & done
wait
check uscope 10
check pccx 10
check kanata 3
check o3pipeview 3
check txlog 3
check stf 10
finish
