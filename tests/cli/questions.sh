# Tests that hwtrace-query, DuckDB, pandas and hwtrace-info give the same answers to the same questions.
#
# HWTRACE_DUCKDB names a folder node_modules with the npm package @duckdb/node-api; without it, it is downloaded.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$2" && pwd)
cd "$work" || exit 1

absent_tool() {
    skip "$1"
    exit 77
}
[ -x "$bin/hwtrace-query" ] || absent_tool "hwtrace-query is not built"
python=$(for one in python3 /usr/bin/python3; do $one -c 'import pandas' 2>/dev/null && echo "$one" && break; done)
[ -n "$python" ] || absent_tool "pandas is not installed (Debian: python3-pandas)"
command -v node >/dev/null || absent_tool "node is not installed"
if [ -z "${HWTRACE_DUCKDB-}" ]; then
    command -v npm >/dev/null || absent_tool "npm is not installed"
    npm install --ignore-scripts --no-audit --no-fund --prefix "$work/npm" @duckdb/node-api@1.5.6-r.1 >/dev/null 2>&1 ||
        absent_tool "npm cannot download DuckDB"
    HWTRACE_DUCKDB=$work/npm/node_modules
fi
export HWTRACE_DUCKDB
expect 0 "$python" "$here/questions.py" "$bin" "$data" "$here/questions.mjs"
cat stdout
finish
