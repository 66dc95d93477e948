# functions.sh BIN SOURCE BUILD WORK CMAKE: records a program with debug information in QEMU and compares the functions
# in timelines, reports, tables and queries (--elf) with the symbols that nm lists. The plugin is that of BUILD, or is
# built in WORK (plugin.sh).
source=$2 build=$3 folder=$4 cmake=$5
. "$source/tests/cli/lib.sh"
. "$source/tests/record_qemu/plugin.sh"
command -v python3 >/dev/null || { skip 'python3 is not installed'; exit 77; }
cd "$work" || exit 1
cp "$programs/functions.c" .
$cross -static -O2 -g functions.c -o program 2>/dev/null || { skip "the C library for riscv64 is not installed (Debian: libc6-dev-riscv64-cross)"; exit 77; }
expect 0 record -o run.zstf -- ./program
"$bin/hwtrace-convert" run.zstf probe.pftrace --elf program -q 2>stderr || {
    grep -q 'cannot read ELF files' stderr && { skip "this build cannot read ELF files"; exit 77; }
    fail "hwtrace-convert --elf: $(head -3 stderr)"
}
riscv64-linux-gnu-nm -S program >symbols
expect 0 "$bin/hwtrace-query" run.zstf --format csv "SELECT printf('0x%x', pc) AS pc FROM core0"
tail -n +2 stdout | tr -d '\r' >pcs
[ "$(wc -l <pcs)" -gt 100000 ] || fail "the program executes only $(wc -l <pcs) instructions"
# counted WHAT NAMED [LEAST]: compares the instructions of functions in the file NAMED.
counted() { python3 "$programs/function_counts.py" symbols pcs "$2" ${3-} >differences || fail "$1: $(head -5 differences)"; }

# --- tables ---
expect 0 "$bin/hwtrace-query" run.zstf --elf program --format csv \
    "SELECT function || char(9) || count(*) FROM core0 WHERE function IS NOT NULL GROUP BY function"
tail -n +2 stdout | tr -d '"\r' >named
counted hwtrace-query named
expect 0 "$bin/hwtrace-query" run.zstf --elf program --format csv \
    "SELECT count(*), min(function_offset), count(DISTINCT source) > 1 FROM core0 WHERE function = 'sum_to'"
says stdout "$(sed -n 's/^sum_to\t//p' named),0,1"
line=$(grep -n 'long fibonacci' functions.c | cut -d : -f 1)
expect 0 "$bin/hwtrace-query" run.zstf --elf program --format csv \
    "SELECT DISTINCT function FROM core0 WHERE source = '$PWD/functions.c:$line' ORDER BY 1"
says stdout fibonacci
expect 0 "$bin/hwtrace-convert" run.zstf tables.csv --elf program -q
expect 0 "$bin/hwtrace-dump" run.zstf --elf program --format csv -o dumped -q
same tables.csv/core0.csv dumped/core0.csv
expect 0 "$bin/hwtrace-convert" run.zstf plain.csv -q
python3 - >named <<'EOF' || fail "tables with symbols have other columns in addition"
import collections, csv
with open("tables.csv/core0.csv", newline="") as named, open("plain.csv/core0.csv", newline="") as plain:
    rows = list(csv.reader(named))
    assert rows[0][-3:] == ["function", "function_offset", "source"]
    assert [row[:-3] for row in rows] == list(csv.reader(plain))
for name, count in collections.Counter(row[-3] for row in rows[1:]).items():
    print(name, count, sep="\t")
EOF
counted CSV named
expect 0 "$bin/hwtrace-convert" run.zstf run.db --elf program -q
if command -v sqlite3 >/dev/null; then
    sqlite3 -separator "$(printf '\t')" run.db "SELECT function, count(*) FROM core0 WHERE function IS NOT NULL GROUP BY 1" >named
    counted SQLite named
fi
expect 0 "$bin/hwtrace-convert" run.zstf tables.parquet --elf program -q
found=no
for python in python3 /usr/bin/python3; do
    PYTHONPATH=$build/python $python -c 'import hwtrace' 2>/dev/null || continue
    PYTHONPATH=$build/python $python - >named <<'EOF' || fail "the Python module fails"
import collections
import hwtrace
table = hwtrace.open("run.zstf", elf="program").table("core0")
assert {line.rsplit("/", 1)[-1].split(":")[0] for line in table["source"] if line} == {"functions.c"}
for name, count in collections.Counter(table["function"]).items():
    if name is not None:
        print(name, count, sep="\t")
EOF
    counted Python named
    found=yes
    break
done
[ $found = yes ] || skip 'Python: the module is not built, numpy is missing, or the build has sanitizers'

# --- timelines: time in a function without its calls ---
expect 0 "$bin/hwtrace-convert" run.zstf run.trace.json --elf program -q
expect 0 "$bin/hwtrace-convert" run.zstf again.pftrace --elf program -q
same probe.pftrace again.pftrace
if [ -n "${HWTRACE_TRACE_PROCESSOR-}" ] && command -v node >/dev/null; then
    # shellcheck disable=SC2016 # SQL
    query="with self as (select name, dur - coalesce((select sum(dur) from slice c where c.parent_id = s.id), 0) as t
        from slice s where category = 'function')
        select (select coalesce(group_concat(name || '=' || value), 'no faults') from stats
            where value > 0 and severity in ('error', 'data_loss')) || char(10) ||
            (select group_concat(name || char(9) || t, char(10)) from (select name, sum(t) t from self group by name))
        as answer"
    for timeline in probe.pftrace run.trace.json; do
        node "$source/tests/cli/trace_processor.mjs" "$query" $timeline >answer 2>stderr </dev/null || fail "trace_processor: $(head -3 stderr)"
        [ "$(head -1 answer)" = 'no faults' ] || fail "$timeline: $(head -1 answer)"
        tail -n +2 answer >named
        counted "$timeline" named
    done
else
    skip "timelines: HWTRACE_TRACE_PROCESSOR is not set, or node is not installed"
fi

# --- the report ---
expect 0 "$bin/hwtrace-convert" run.zstf run.html --elf program -q
for browser in chromium chromium-browser google-chrome none; do
    ! command -v "$browser" >/dev/null || break
done
cat >use.js <<'EOF'
const seen = document.documentElement.dataset, report = hwtraceReport, flames = report.flames;
const sum = (nodes, key) => nodes.reduce((total, node) => total + node[key], 0);
seen.tree = sum(flames.nodes, 'self') === flames.nodes[0].total;
const search = document.querySelector('#functions input[placeholder="Search functions"]');
search.value = 'FIBONACCI';
search.dispatchEvent(new Event('input'));
seen.search = flames.found.size > 5 && [...flames.found].every((node) => node.name === 'fibonacci');
const box = flames.boxes.find(({node, size}) => node.name === 'main' && size > 10), canvas = document.getElementById('flames');
canvas.dispatchEvent(new MouseEvent('click', {clientX: canvas.getBoundingClientRect().x + box.x + 5, clientY: canvas.getBoundingClientRect().y + box.node.depth * 18 + 5}));
seen.zoom = flames.focus.name === 'main' && flames.boxes.find(({node}) => node.name === 'main').size > box.size;
canvas.dispatchEvent(new KeyboardEvent('keydown', {key: '0'}));
seen.all = flames.focus === flames.nodes[0];
EOF
{ sed '/Content-Security-Policy/d; s|</body>.*||; s|</html>.*||' run.html; echo '<script>'; cat use.js; echo '</script></body></html>'; } >used.html
HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=5000 --dump-dom \
    "file://$work/used.html" >used.dom 2>log </dev/null
if grep -q 'id="main"' used.dom; then
    for action in tree search zoom all; do
        grep -q "data-$action=\"true\"" used.dom || fail "the report does not react to: $action"
    done
    ! grep -q 'data-error' used.dom || fail "the page fails: $(grep -o 'data-error="[^"]*"' used.dom)"
    HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=5000 --dump-dom \
        "file://$work/run.html" >run.dom 2>log </dev/null
    python3 "$source/tests/cli/report_page.py" run.dom --table functions-table function self >named || fail "the page is not valid"
    counted 'the report' named 15
else
    skip "the report: no Chromium is installed, or it does not run here"
fi
finish
