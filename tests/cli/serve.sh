# Tests hwtrace-serve: serve.py asks it for data, and compares the answers with what the commands print.
. "$(dirname "$0")/lib.sh"
cli=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
    echo 'skipped: python3 is not installed'
    exit 77
}
unset http_proxy HTTP_PROXY ALL_PROXY all_proxy
cd "$work" || exit 1
cp "$2/stf/valid/sum.zstf" "$2/ftr/valid/soc.ftr" "$2/uscope/valid/npu.uscope" "$2/pccx/valid/npu.pccx" .
cp "$2/kanata/valid/pipeline.kanata" "$2/txlog/valid/bus.txlog" .
"$bin/hwtrace-convert" npu.pccx some.flux --allow-loss -q 2>/dev/null
cp soc.ftr 'odd & <name> 100%.ftr'
{ stf_header; stf_instructions 14; } >big.stf
cp small.stf growing.stf
: >secret.stf

# Wrong uses are refused before a port is opened.
expect 2 "$bin/hwtrace-serve"
says stderr 'a file is needed'
expect 5 "$bin/hwtrace-serve" absent.stf
says stderr 'absent.stf: cannot open'
expect 5 "$bin/hwtrace-serve" .
expect 2 "$bin/hwtrace-serve" -
says stderr 'standard input cannot be served'
expect 2 "$bin/hwtrace-serve" small.stf --listen 0.0.0.0:0
says stderr 'add --remote'
for listen in 8080 localhost example.com:80 127.0.0.1:65536 127.0.0.1:x '[::1:80' ''; do
    expect 2 "$bin/hwtrace-serve" small.stf --listen "$listen"
    says stderr 'takes an IP address and a port'
done
expect 2 "$bin/hwtrace-serve" small.stf --timeout 0
expect 2 "$bin/hwtrace-serve" small.stf -o x
says stderr 'hwtrace-serve writes no files'

python3 "$cli/serve.py" "$bin" || fail "serve.py: exit $?"
finish
