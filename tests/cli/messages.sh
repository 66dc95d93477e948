# Tests that tests/messages.txt lists every message of the sources.
. "$(dirname "$0")/lib.sh"
root=$(cd "$2/.." && pwd)
python=${PYTHON:-/usr/bin/python3}

command -v "$python" >/dev/null || { skip "there is no Python"; exit 77; }
expect 0 "$python" "$root/tests/messages.py" "$root"
[ "$status" -eq 0 ] || cat "$work/stdout"
# The list changes with a message.
mkdir -p "$work/root/apps" "$work/root/libs" "$work/root/formats" "$work/root/tests"
cp "$root/formats/RULES.md" "$work/root/formats"
echo 'void f() { fail(Failure::usage, fmt::format("--shape {}: takes a circle or {}", text, "a square")); }' >"$work/root/libs/f.cpp"
expect 0 "$python" "$root/tests/messages.py" --write "$work/root"
grep -qxF '  usage  --shape 5x: takes a circle or a square' "$work/root/tests/messages.txt" ||
    fail "a message is not listed: $(cat "$work/root/tests/messages.txt")"
sed -i 's/circle/disc/' "$work/root/libs/f.cpp"
expect 1 "$python" "$root/tests/messages.py" "$work/root"
says stdout "is not current"
finish
