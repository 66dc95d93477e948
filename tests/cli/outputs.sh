# Tests outputs: existing files, the input itself, permissions, links. No other files remain.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
mkdir out
cp small.stf out/in.stf
expect 0 "$bin/hwtrace-convert" small.stf reference.uscope

printf old >out/old.uscope
chmod 640 out/old.uscope
expect 2 "$bin/hwtrace-convert" small.stf out/old.uscope
says stderr "--force"
[ "$(cat out/old.uscope)" = old ] || fail "a refused output was touched"
printf 'no trace' >text
expect 4 "$bin/hwtrace-convert" text out/old.uscope --force
[ "$(cat out/old.uscope)" = old ] || fail "a failed conversion touched the old file"
expect 0 "$bin/hwtrace-convert" small.stf out/old.uscope --force
same out/old.uscope reference.uscope
[ "$(stat -c %a out/old.uscope)" = 640 ] || fail "the permissions of a replaced file changed"

for name in out/in.stf out/hard.stf out/soft.stf; do
    ln -f out/in.stf out/hard.stf
    ln -sf in.stf out/soft.stf
    expect 2 "$bin/hwtrace-convert" out/in.stf "$name" --force
    says stderr "input"
done
same out/in.stf small.stf
expect 2 "$bin/hwtrace-convert" small.stf /dev/null --to uscope --force
expect 5 "$bin/hwtrace-convert" small.stf out --to uscope --force

(umask 077; "$bin/hwtrace-convert" small.stf out/private.uscope -q)
[ "$(stat -c %a out/private.uscope)" = 600 ] || fail "the umask is not honoured"

# If the name and the content of a file disagree, the content counts, and a note reports this.
cp small.stf out/misnamed.uscope
expect 0 "$bin/hwtrace-dump" out/misnamed.uscope
says stderr "misnamed.uscope: is stf by its content, uscope by its name"
expect 0 "$bin/hwtrace-dump" out/misnamed.uscope -q
silent stderr

# The output is given once, as an argument or with -o.
expect 0 "$bin/hwtrace-convert" small.stf -o out/named.uscope
same out/named.uscope reference.uscope
expect 0 "$bin/hwtrace-convert" --output=- --to uscope small.stf
same stdout reference.uscope
expect 0 "$bin/hwtrace-recover" small.stf --output out/recovered.stf
same out/recovered.stf small.stf
for twice in "out/one.uscope -o out/two.uscope" "-o out/one.uscope -o out/two.uscope"; do
    # shellcheck disable=SC2086
    expect 2 "$bin/hwtrace-convert" small.stf $twice
    grep -q 'is given twice\|may be given only once' stderr || fail "two outputs: $(cat stderr)"
    absent out/one.uscope
    absent out/two.uscope
done
expect 2 "$bin/hwtrace-dump" small.stf -o out/text
says stderr "-o writes tables; add --format csv, or redirect a view with > FILE"
absent out/text
expect 2 "$bin/hwtrace-dump" small.stf -f
says stderr "--force replaces the folder of -o; add -o FOLDER"
rm out/named.uscope out/recovered.stf

# The same input and options give the same bytes, whatever the names, threads and time.
expect 0 "$bin/hwtrace-convert" small.stf out/again.uscope -j 1
same out/again.uscope reference.uscope
expect 0 "$bin/hwtrace-convert" out/misnamed.uscope - --to uscope -j 4
same stdout reference.uscope

expect 0 "$bin/hwtrace-convert" small.stf out/report.uscope --loss-report out/losses.json
grep -q '"losses": \[\]' out/losses.json || fail "the loss report differs"
grep -q '"schema": "hwtrace-losses/1"' out/losses.json || fail "the loss report has no schema"
expect 0 "$bin/hwtrace-convert" small.stf out/explained.uscope --explain
says stdout "losses: none"
absent out/explained.uscope

# --explain predicts losses that follow from the schema: a second root scope (its parent follows clock and root).
"$bin/hwtrace-convert" small.stf roots.uscope -q
properties=$(od -An -tu4 -j52 -N4 roots.uscope)
schema=$((56 + (properties + 7) / 8 * 8 + 8))
printf '\377\377' | dd of=roots.uscope bs=1 seek=$((schema + 12 + 8 + 12 + 4)) conv=notrunc 2>/dev/null
expect 0 "$bin/hwtrace-convert" roots.uscope --to uscope --explain
says stdout "scope-flattened scopes: "
expect 3 "$bin/hwtrace-convert" roots.uscope rooted.uscope
says stderr "lost: scope-flattened scopes, 1 time"
rm roots.uscope rooted.uscope

# The last extension chooses the compression, whatever precedes it.
for end in gz zst xz; do
    expect 0 "$bin/hwtrace-convert" small.stf "short.$end" --to stf
    expect 0 "$bin/hwtrace-convert" small.stf "long.stf.$end"
    same "short.$end" "long.stf.$end"
    ! cmp -s "short.$end" small.stf || fail "a plain trace was written as short.$end"
done

holds out "again.uscope hard.stf in.stf losses.json misnamed.uscope old.uscope private.uscope report.uscope soft.stf "
finish
