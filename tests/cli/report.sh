# Tests HTML reports in a browser, headless Chromium: the numbers on the page are those of hwtrace-info, the script runs
# without an error, and no text of a trace becomes a script.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$2" && pwd)
cd "$work" || exit 1

for browser in chromium chromium-browser google-chrome none; do
    ! command -v "$browser" >/dev/null || break
done
[ "$browser" != none ] || { skip "no Chromium is installed"; exit 77; }
command -v python3 >/dev/null || { skip "python3 is not installed"; exit 77; }

# dom PAGE: writes the document into PAGE.dom, after the script has run.
dom() {
    HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=5000 --dump-dom \
        "file://$work/$1" >"$1.dom" 2>"$1.log" </dev/null
}

echo '<!DOCTYPE html><p id="probe">yes</p>' >probe.html
dom probe.html
grep -q 'id="probe"' probe.html.dom || { skip "$browser does not run here: $(head -1 probe.html.log)"; exit 77; }

# compare TRACE: the page of a trace has the numbers that hwtrace-info prints.
compare() {
    expect 0 "$bin/hwtrace-convert" "$1" page.html -f -q
    "$bin/hwtrace-info" --format json "$1" >info.json 2>/dev/null
    dom page.html
    python3 "$here/report_page.py" page.html.dom info.json || fail "$1: the page differs from hwtrace-info"
}
compare "$data/ftr/valid/soc.ftr"
compare "$data/pccx/valid/npu.pccx"
compare "$data/stf/valid/sum.zstf"
compare "$data/uscope/valid/queue.uscope"
compare "$data/kanata/valid/pipeline.kanata"
compare "$data/jsonl/valid/bus.jsonl"
cat >signals.jsonl <<'EOF'
{"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"soc","native_id":0}
{"type":"track","id":0,"kind":"signal","name":"level","scope":0,"time":{"base":"seconds","num":1,"den":1000000000},"native_id":1,"fields":[{"name":"value","type":"i64"}]}
{"type":"track","id":1,"kind":"signal","name":"state","scope":0,"time":{"base":"seconds","num":1,"den":1000000000},"native_id":2,"fields":[{"name":"value","type":"text"}]}
EOF
for time in 0 5 9 12; do
    echo '{"type":"change","time":'$time',"scope":"soc","track":"level","track_id":0,"values":{"value":'$((time * time - 30))'}}'
    echo '{"type":"change","time":'$time',"scope":"soc","track":"state","track_id":1,"values":{"value":"state '$time'"}}'
done >>signals.jsonl
expect 0 "$bin/hwtrace-convert" signals.jsonl signals.flux -q
compare signals.flux

# The page reacts: search, keys, sorting and filters. A copy without the policy has a script that uses them.
expect 0 "$bin/hwtrace-convert" "$data/pccx/valid/npu.pccx" npu.html -q
cat >use.js <<'EOF'
const seen = document.documentElement.dataset, report = hwtraceReport, page = document;
const reads = report.data.types.filter((type) => type.label === 'DMA_READ').reduce((sum, type) => sum + type.count, 0);
const search = page.querySelector('.timeline input');
search.value = 'dma_read';
search.dispatchEvent(new Event('input'));
seen.search = page.querySelector('.timeline .bar output').textContent === `${reads} found`;
search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
seen.match = page.querySelector('.details h4').textContent === 'DMA_READ' && page.querySelector('.details dd').textContent === 'npu/core0/DMA_READ';
const values = () => [...page.querySelectorAll('#types td[data-column=greatest]')].map((cell) => Number(cell.dataset.value));
page.querySelector('#types th:nth-child(9) button').click();
const down = values();
page.querySelector('#types th:nth-child(9) button').click();
const up = values();
seen.sort = down.length > 8 && down.every((value, i) => i === 0 || value <= down[i - 1]) && up[0] === Math.min(...down) && up.at(-1) === down[0];
const filter = page.querySelector('#durations .table input');
filter.value = 'core3 dma';
filter.dispatchEvent(new Event('input'));
seen.filter = values().length === 2;
const canvas = page.getElementById('timeline'), before = report.timeline.view.length;
canvas.dispatchEvent(new KeyboardEvent('keydown', { key: '+' }));
seen.zoom = report.timeline.view.length === before / 2;
EOF
{ sed '/Content-Security-Policy/d; s|</body>.*||; s|</html>.*||' npu.html; echo '<script>'; cat use.js; echo '</script></body></html>'; } >used.html
dom used.html
for action in search match sort filter zoom; do
    grep -q "data-$action=\"true\"" used.html.dom || fail "the page does not react to: $action"
done

# Names that are scripts stay names, and what comes after them is still there.
cat >hostile.jsonl <<'EOF'
{"schema":"hwtrace-jsonl/1"}
{"type":"metadata","key":"</script><script>document.documentElement.dataset.error='key'</script>","value":"<img src=x onerror=\"document.documentElement.dataset.error='image'\">"}
{"type":"scope","id":0,"name":"</script><script>document.documentElement.dataset.error='scope'</script>"}
{"type":"track","id":0,"kind":"stream","scope":0,"name":"<!--<script>","time":{"base":"seconds","num":1,"den":1000000000},"fields":[{"name":"name","type":"text"}]}
{"type":"interval","track_id":0,"time":5,"duration":7,"attributes":{"name":"</script><svg onload=alert(1)>"}}
EOF
if "$bin/hwtrace-convert" hostile.jsonl hostile.html -f -q >stdout 2>stderr; then
    dom hostile.html
    python3 "$here/report_page.py" hostile.html.dom --texts '</script><svg onload=alert(1)>' "</script><script>document.documentElement.dataset.error='key'</script>" ||
        fail "a hostile name changed the page"
else
    fail "hostile.jsonl was not converted: $(head -3 stderr)"
fi

# The report of a damaged trace lists what was found.
head -c 9000 "$data/stf/valid/sum.zstf" >cut.zstf
expect 0 "$bin/hwtrace-convert" cut.zstf cut.html -f -q --allow-incomplete
dom cut.html
python3 "$here/report_page.py" cut.html.dom --texts STF062 || fail "cut.html does not list STF062"

# The page asks for nothing: its policy forbids every request, and it names no address but that of SVG.
grep -q "default-src 'none'" cut.html || fail "the page has no policy"
[ "$(grep -o 'https\?://[a-z0-9./]*' cut.html | sort -u)" = "http://www.w3.org/2000/svg" ] || fail "the page names addresses"

# The same trace gives the same bytes.
cp cut.html first.html
expect 0 "$bin/hwtrace-convert" cut.zstf cut.html -f -q --allow-incomplete -j 1
same first.html cut.html
finish
