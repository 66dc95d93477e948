# Tests inputs by URL: a local web server with faults (remote_server.py) serves traces.
. "$(dirname "$0")/lib.sh"
cli=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
    echo 'skipped: python3 is not installed'
    exit 77
}
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
cd "$work" || exit 1
mkdir served
{ stf_header; stf_instructions 18; } >served/big.stf
cp small.stf small.pccx served
cp "$2/ftr/valid/soc.ftr" "$2/stf/valid/sum.zstf" "$2/uscope/valid/cpu.uscope" served 2>/dev/null
: >served/empty.stf
printf 'this is not a trace, but a page of text\n' >served/page.html
python3 "$cli/remote_server.py" "$work/served" "$work/port" 2>server.log &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
wait_for "the server does not start: $(cat server.log)" test -s port || exit 1
at=http://127.0.0.1:$(cat port)
ask() { python3 -c "import sys, urllib.request; print(urllib.request.urlopen('$at/$1').read().decode())"; }
export HWTRACE_HTTP_TIMEOUT=2

"$bin/hwtrace-dump" "$at/ranges/small.stf" >stdout 2>stderr
if grep -qE 'built without libcurl|libcurl, which cannot be loaded' stderr; then
    echo "skipped: $(cat stderr)"
    exit 77
fi

# Every command reads a URL as it reads the file.
for file in small.stf small.pccx soc.ftr sum.zstf big.stf; do
    [ -e "served/$file" ] || { fail "$file is missing"; continue; }
    expect 0 "$bin/hwtrace-dump" "served/$file"
    mv stdout wanted
    for how in ranges redirect weak nameless part unended unfinished trailer whole whole-chunked whole-unsized; do
        expect 0 "$bin/hwtrace-dump" "$at/$how/$file"
        same stdout wanted
    done
done
expect 0 "$bin/hwtrace-validate" "$at/ranges/soc.ftr" "$at/whole/sum.zstf"
expect 0 "$bin/hwtrace-info" served/soc.ftr
sed "s|served/|$at/ranges/|" stdout >wanted
expect 0 "$bin/hwtrace-info" "$at/ranges/soc.ftr"
same stdout wanted
expect 0 "$bin/hwtrace" "$at/ranges/soc.ftr"
says stdout "$at/ranges/soc.ftr"
expect 0 "$bin/hwtrace-convert" served/sum.zstf local.uscope
expect 0 "$bin/hwtrace-convert" "$at/ranges/sum.zstf" remote.uscope
same local.uscope remote.uscope
expect 0 "$bin/hwtrace-diff" "$at/ranges/sum.zstf" served/sum.zstf
expect 0 "$bin/hwtrace-split" "$at/ranges/big.stf" -o 'piece-{}.stf' --every '100000#'
expect 0 "$bin/hwtrace-merge" "$at/ranges/soc.ftr" "$at/whole/soc.ftr" -o merged.ftr
if [ -x "$bin/hwtrace-query" ]; then
    for how in ranges whole; do
        expect 0 "$bin/hwtrace-query" "$at/$how/soc.ftr" 'SELECT count(*) FROM tracks, metadata'
    done
fi
# The extension of the path counts, not the query.
expect 0 "$bin/hwtrace-dump" "$at/ranges/small.stf?name=x.ftr#y.pccx"
silent stderr

# A slice of a file with an index reads a small part of it.
python3 - <<'END'
import os, random
# Instructions that write random values to memory do not compress, so that the file is large.
random.seed(1)
with open("served/random.stf", "wb") as out:
    out.write(open("served/small.stf", "rb").read()[:-10])
    for _ in range(300000):
        write = random.randbytes(8) + b"\x08\x00\x00\x00\x02"  # address, size, attributes, type
        out.write(b"\x3c" + write + b"\x3d" + random.randbytes(8) + b"\xf0\x33\x07\xb6\x00")
END
expect 0 "$bin/hwtrace-convert" served/random.stf served/random.zstf --stf-chunk 5000 -q
whole=$(wc -c <served/random.zstf)
ask reset >/dev/null
for place in 0 150000 299000; do
    expect 0 "$bin/hwtrace-dump" served/random.zstf --range "$place#:$((place + 300))#"
    mv stdout wanted
    expect 0 "$bin/hwtrace-dump" "$at/ranges/random.zstf" --range "$place#:$((place + 300))#"
    same stdout wanted
done
echo "slices of $whole bytes: $(ask stats)"

# One per mille of a trace of 1 GB takes less than 1 % of its bytes. The trace repeats chunks; the file is sparse, and
# holds only the chunks at its beginning and around the slice.
python3 - <<'END'
import struct
data = open("served/random.zstf", "rb").read()
index = struct.unpack_from("<Q", data, 12)[0]
entries = list(struct.iter_unpack("<QQQ", data[index + 8:]))
ends = [offset for offset, _, _ in entries[1:]] + [index]
with open("served/giga.zstf", "wb") as out:
    out.write(data[:20])
    at, repeated = 20, []
    while at < 10**9:
        chunk = len(repeated)
        number = 0 if chunk == 0 else 1 + chunk % (len(entries) - 2)
        offset, pc, size = entries[number]
        if chunk < 30 or 5990 <= chunk < 6060:
            out.seek(at)
            out.write(data[offset:ends[number]])
        repeated.append((at, pc, size))
        at += ends[number] - offset
    out.seek(12)
    out.write(struct.pack("<Q", at))
    out.seek(at)
    out.write(struct.pack("<Q", len(repeated)))
    for entry in repeated:
        out.write(struct.pack("<QQQ", *entry))
open("slice", "w").write(f"{6000 * 5000}#:{6000 * 5000 + 5 * len(repeated)}#")
END
ask reset >/dev/null
expect 0 "$bin/hwtrace-dump" served/giga.zstf --range "$(cat slice)"
mv stdout wanted
expect 0 "$bin/hwtrace-dump" "$at/ranges/giga.zstf" --range "$(cat slice)"
same stdout wanted
[ "$(wc -l <wanted)" -gt 100000 ] || fail "the slice is small: $(wc -l <wanted) lines"
whole=$(wc -c <served/giga.zstf)
sent=$(ask stats | sed 's/.*"bytes": \([0-9]*\).*/\1/')
echo "a slice of $(cat slice), one per mille of $whole bytes, takes $sent bytes: $(ask stats)"
[ "$sent" -lt $((whole / 100)) ] || fail "a slice of one per mille takes $sent of $whole bytes"
rm served/giga.zstf wanted

# Faults that pass are repaired: connections that break, servers that are busy.
for how in flaky busy; do
    ask reset >/dev/null
    expect 0 "$bin/hwtrace-dump" "$at/$how/big.stf"
    mv stdout got
    expect 0 "$bin/hwtrace-dump" served/big.stf
    same stdout got
done

# Other faults are errors that name the file and the fault. No output appears.
refused() { # refused HOW TEXT [FILE]
    ask reset >/dev/null
    expect 5 "$bin/hwtrace-convert" "$at/$1/${3:-big.stf}?X-Amz-Signature=SECRET" "out-$1.uscope" -q
    says stderr "hwtrace-convert: $at/$1/${3:-big.stf}: "
    says stderr "$2"
    absent "out-$1.uscope"
    ! grep -q 'SECRET\|secret-page' stderr || fail "$1: a secret is printed: $(cat stderr)"
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$1: more than one line: $(cat stderr)"
}
refused dying 'the connection ended before the response was complete (4 tries)'
refused short 'the connection ended before the response was complete (4 tries)'
refused silent 'the server sent nothing for 2 s'
refused status-503 'the server answers with status 503 (4 tries)'
refused status-500 'the server answers with status 500 (4 tries)'
refused status-429 'the server refuses so many requests (status 429)'
refused status-404 'the server has no such file (status 404); check the URL'
refused status-403 'if the URL is presigned, it may have expired'
refused status-401 'the server refuses access (status 401)'
refused status-418 'the server answers with status 418'
refused changed 'the file was changed on the server while it was read'
refused changed-200 'the file was changed on the server while it was read'
refused grown 'the file was changed on the server while it was read'
refused later-whole 'the server ignored a range that it accepted before'
refused moved 'the file was changed on the server while it was read'
refused shifted 'the server sends bytes'
refused garbage 'does not state which bytes it sends'
refused unstated 'does not state which bytes it sends'
refused sizeless 'or the size of the file'
refused long 'the server sends more bytes than it states'
refused gzip 'the server compresses the file'
refused redirect-file 'redirects to another protocol'
refused redirect-loop 'redirects more than 10 times'
refused endless-headers 'the headers have more than 256 KiB'
refused slow-headers 'the server does not complete its headers'
refused cut-headers 'the connection ended before the response was complete (4 tries)'
refused old 'the answer is not HTTP'
refused whole-cut 'the connection ended before the response was complete, at byte'
expect 5 "$bin/hwtrace-dump" http://127.0.0.1:1/a.stf
says stderr 'http://127.0.0.1:1/a.stf: '
expect 5 "$bin/hwtrace-dump" http://no-such-host.invalid/a.stf
expect 5 "$bin/hwtrace-dump" 'https://user:SECRET@127.0.0.1:1/a.stf?SECRET'
! grep -q SECRET stderr || fail "a secret is printed: $(cat stderr)"
expect 5 "$bin/hwtrace-dump" 'http://user:SEC/RET@127.0.0.1:1/a.stf'
! grep -q 'SEC\|RET' stderr || fail "a secret is printed: $(cat stderr)"
# A size that is a lie is found at the end of the real file.
refused enormous 'the file was changed on the server while it was read' small.stf
expect 4 "$bin/hwtrace-dump" "$at/ranges/empty.stf"
says stderr 'an empty file'
expect 4 "$bin/hwtrace-dump" "$at/rangeless/empty.stf"
says stderr 'an empty file'
expect 4 "$bin/hwtrace-dump" "$at/ranges/page.html"
expect 2 env HWTRACE_HTTP_TIMEOUT=soon "$bin/hwtrace-dump" "$at/ranges/small.stf"
says stderr 'HWTRACE_HTTP_TIMEOUT=soon: takes seconds'

# No command prints or stores the query of a URL.
secret="$at/ranges/sum.zstf?X-Amz-Signature=SECRET"
for command in "dump|$secret" "dump|$secret|--view|model" "info|$secret|--format|json" "info|$secret|--next" \
    "validate|$secret|--report|json" "validate|$secret|--report|sarif" "validate|$secret|--report|junit" \
    "validate|$secret|-v" "convert|$secret|s.uscope|-v|--loss-report|s.json" "convert|$secret|s.html|-f|-v" \
    "convert|$secret|t.uscope|--explain" "convert|$secret|u.pftrace|-v" "diff|$secret|$secret|--format|json" \
    "split|$secret|-o|s-{}.stf|--every|1000#|-v" "recover|$secret|r.stf|-v" "validate|$secret|--write-baseline|base.json" \
    "split|$secret|-o|into-{}.zstf|--into|2|-v" "dump|$secret|--progress|json" "merge|$secret|$secret|-o|m.jsonl|-v"; do
    ( IFS='|'; set -f; # shellcheck disable=SC2086 # words
      set -- $command; verb=$1; shift; "$bin/hwtrace-$verb" "$@" ) >stdout 2>stderr </dev/null
    [ $? -le 4 ] || fail "$command: $(cat stderr)"
done
grep -rl SECRET . --include='*' | grep -vE 'server.log' >leaks && fail "secrets are in: $(cat leaks)"

# An index is a file beside the trace.
for option in --force --check; do
    expect 2 "$bin/hwtrace-index" "$secret" $option
    says stderr "hwtrace-index: $at/ranges/sum.zstf: there is no index beside a URL"
    ! grep -q SECRET stdout stderr || fail "a secret is printed: $(cat stdout stderr)"
done
expect 0 "$bin/hwtrace-index" "$secret" -o remote.hwtidx
expect 0 "$bin/hwtrace-index" "$secret" -o remote.hwtidx --check

# Outputs are files.
expect 2 "$bin/hwtrace-convert" small.stf "$at/ranges/out.uscope?X-Amz-Signature=SECRET"
says stderr "$at/ranges/out.uscope: an output cannot be a URL"
expect 2 "$bin/hwtrace-convert" small.stf "$at/ranges/out.html"
says stderr 'an output cannot be a URL'
expect 2 "$bin/hwtrace-dump" "$at/ranges/small.stf" --follow
says stderr '--follow takes a file'
finish
