#!/bin/sh
# Tests that pip makes a wheel without network, and that the installed module works: wheel.sh PYTHON SOURCES EXTENSION FOLDER
set -eu
python=$1 sources=$2 extension=$3 folder=$4

"$python" -c 'import setuptools, numpy, pip, venv, wheel' 2>/dev/null || {
    echo 'skipped: pip, setuptools, wheel, venv and numpy are not all installed'
    exit 77
}
rm -rf "$folder"
mkdir -p "$folder"
HWTRACE_BUILD=$folder/build HWTRACE_EXTENSION=$extension "$python" -m pip wheel --no-index --no-build-isolation --no-deps \
    --disable-pip-version-check "$sources/libs/python" -w "$folder/wheels" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
"$python" -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/pip" install --no-index --no-deps --disable-pip-version-check "$folder"/wheels/hwtrace-*.whl >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
cd "$folder"
unset PYTHONPATH
"$folder/venv/bin/python" - "$sources/testdata" "$folder/venv" <<'EOF'
import sys
from pathlib import Path
import hwtrace
testdata, venv = sys.argv[1:]
assert Path(hwtrace.__file__).is_relative_to(venv), hwtrace.__file__
assert (Path(hwtrace.__file__).parent / "py.typed").exists()
assert hwtrace.open(testdata + "/ftr/valid/soc.ftr").table("read").rows == 1
assert hwtrace.validate(testdata + "/stf/valid/sum.zstf")
EOF
# The sources are as they were.
[ ! -e "$sources/libs/python/build" ] && [ -z "$(find "$sources/libs/python" -name '*.egg-info')" ]
echo 'the wheel works'
