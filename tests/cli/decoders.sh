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
mkdir models

# Losses that concern no record.
harmless='lost: metadata-dropped |lost: part-dropped timescale'

# compare SOURCE FORMAT OPTIONS...: if SOURCE converts to FORMAT without a loss of records, compares the output with
# SOURCE. Counts the comparisons and their facts.
compare() {
    source=$1
    format=$2
    shift 2
    "$bin/hwtrace-convert" "$source" out --to "$format" "$@" --allow-loss -f >/dev/null 2>told </dev/null || return 0
    ! grep ' lost: ' told | grep -qvE "$harmless" || return 0
    model=models/$(printf '%s' "$source" | tr / _)  # several formats are compared with the same source
    if ! [ -f "$model" ]; then
        "$bin/hwtrace-dump" "$source" --view model --format jsonl >dump 2>/dev/null </dev/null || return 0
        mv dump "$model"
    fi
    if ! "$python" "$here/$format.py" out >decoded 2>why; then
        fail "$format.py does not read $source as $format: $(tail -n 1 why)"
    elif ! facts=$("$python" "$here/facts.py" "$format" "$model" decoded 2>why); then
        fail "$source as $format: $(tail -n 1 why)"
    else
        files=$((files + 1))
        total=$((total + facts))
    fi
}
# sources FORMAT...: prints the valid traces of these formats, and the files of the corpus that have at most 4 KiB.
# Larger files take minutes in Python.
sources() {
    for source; do
        find "$data/$source/valid" "assembled/$source" -type f ! -name '*.hex' 2>/dev/null | sort
        [ -d "${HWTRACE_CORPUS:-}/$source" ] || continue
        find "$HWTRACE_CORPUS/$source" -name "*.$source" -size -9 | sort
    done
}
# check FORMAT LEAST OPTIONS... -- SOURCES...: compares the conversions to FORMAT. At least LEAST lose no records.
check() {
    format=$1 least=$2 files=0 total=0 options=
    shift 2
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    sources "$@" >list
    while read -r source; do
        # shellcheck disable=SC2086 # words
        compare "$source" "$format" $options
    done <list
    echo "$format: $files files, $total facts"
    [ "$files" -ge "$least" ] || fail "only $files files convert to $format without a loss"
}

for text in "$data"/*/valid/*.hex; do
    folder=$(basename "$(dirname "$(dirname "$text")")")
    mkdir -p "assembled/$folder"
    "$python" "$here/unhex.py" "$text" "assembled/$folder/$(basename "$text" .hex).$folder" 2>/dev/null
done

check uscope 10 -- uscope pccx ftr txlog jsonl
check pccx 10 -- pccx flux jsonl ftr
check kanata 3 -- kanata uscope
[ -z "${HWTRACE_CORPUS:-}" ] || compare "$HWTRACE_CORPUS/uscope/logs/kanata-basic.log" kanata
check txlog 3 -- txlog ftr jsonl
check stf 10 --stf-container plain -- stf jsonl ftr uscope
finish
