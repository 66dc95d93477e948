# Tests compressed files: the compression is chosen by the name or an option, and detected from the content.
. "$(dirname "$0")/lib.sh"
samples=$2
cd "$work" || exit 1
cp "$samples/kanata/valid/pipeline.kanata" source.kanata
expect 0 "$bin/hwtrace-convert" "$samples/uscope/valid/queue.uscope" source.flux
cp "$samples/txlog/valid/bus.txlog" source.txlog
cp "$samples/o3pipeview/valid/branch.o3pipeview" source.o3pipeview

# begins_as FILE PACKING
begins_as() {
    first=$(od -An -tx1 -N4 "$1" | tr -d ' \n')
    case $2 in
    gz) wanted=1f8b ;;
    lz4) wanted=04224d18 ;;
    zst) wanted=28b52ffd ;;
    xz) wanted=fd377a58 ;;
    esac
    case $first in
    "$wanted"*) ;;
    *) fail "$1 begins with $first, not as $2 does" ;;
    esac
}

expect 0 "$bin/hwtrace-convert" source.flux source.jsonl
for format in kanata o3pipeview flux txlog jsonl; do
    expect 0 "$bin/hwtrace-convert" source.$format plain.$format
    for packing in gz lz4 zst xz; do
        expect 0 "$bin/hwtrace-convert" source.$format packed.$format.$packing --verify
        begins_as packed.$format.$packing $packing
        expect 0 "$bin/hwtrace-validate" packed.$format.$packing
        expect 0 "$bin/hwtrace-convert" packed.$format.$packing unpacked.$format --force
        same unpacked.$format plain.$format
        expect 0 "$bin/hwtrace-convert" source.$format chosen.$format --force --$format-container $packing
        same chosen.$format packed.$format.$packing
    done
    expect 0 "$bin/hwtrace-convert" source.$format named.$format.gz --$format-container plain
    same named.$format.gz plain.$format
done

# An empty file has the format of its name, compressed or not.
for name in nothing.flux.zst nothing.kanata.xz nothing.jsonl.lz4 nothing.txlog.gz; do
    : >$name
    expect 4 "$bin/hwtrace-validate" $name
    says stdout GEN002
done
finish
