# Tests a full disk: exit code 5, the reason, no remaining files. Mounts a tiny file system, which needs permission.
if [ "${2-}" != mounted ]; then
    if ! unshare -m true 2>/dev/null; then
        echo "skipped: a file system cannot be mounted here"
        exit 0
    fi
    exec unshare -m sh "$0" "$1" mounted
fi
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
mkdir tiny
if ! mount -t tmpfs -o size=256k none tiny 2>/dev/null; then
    skip "no file system can be mounted here"
    exit 0
fi
trap 'umount "$work/tiny"; rm -rf "$work"' EXIT
{ stf_header; stf_instructions 15; } >big.stf
"$bin/hwtrace-convert" big.stf big.uscope --uscope-compression none -q || fail "the conversion itself"

# No piece is written, even if the first ones fit.
expect 5 "$bin/hwtrace-split" big.stf -o 'tiny/{}.uscope' --every '2000#' --uscope-compression none
says stderr "No space left on device"
holds tiny ""

printf old >tiny/old.uscope
for name in tiny/new.uscope tiny/old.uscope; do
    expect 5 "$bin/hwtrace-convert" big.stf "$name" --uscope-compression none --force
    says stderr "$name: cannot write: No space left on device"
    holds tiny "old.uscope "
done
[ "$(cat tiny/old.uscope)" = old ] || fail "the old file was touched"

"$bin/hwtrace-dump" big.stf >tiny/text 2>stderr
[ $? -eq 5 ] || fail "text on a full disk"
grep -q 'No space left' stderr || fail "the reason is missing"
rm tiny/text
cat big.uscope | "$bin/hwtrace-dump" - --tmpdir tiny >/dev/null 2>stderr
[ $? -eq 5 ] || fail "spooling on a full disk"
grep -q 'tiny.*No space left' stderr || fail "the spool folder or the reason is missing"
"$bin/hwtrace-convert" big.stf - --to uscope --uscope-compression none --tmpdir tiny 2>stderr | cat >piped
grep -q 'No space left' stderr || fail "spooling the output on a full disk"
[ ! -s piped ] || fail "part of an output was written"
expect 5 "$bin/hwtrace-validate" small.stf --report json=tiny/no/report.json
holds tiny "old.uscope "

# A limit on file sizes is reported in the same way.
(
    ulimit -f 100
    "$bin/hwtrace-convert" big.stf limited.uscope --uscope-compression none 2>stderr
)
[ $? -eq 5 ] || fail "a limit on file sizes"
absent limited.uscope
[ "$(ls -A | grep -c hwtrace-)" -eq 0 ] || fail "a temporary file was left"
finish
