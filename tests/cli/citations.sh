# Tests that every citation resolves: links of pages, and pages and sources that files name.
. "$(dirname "$0")/lib.sh"
root=$(cd "$2/.." && pwd)
python=${PYTHON:-/usr/bin/python3}

command -v "$python" >/dev/null || { skip "there is no Python"; exit 77; }
expect 0 "$python" "$root/tests/cli/citations.py" "$root"
finish
