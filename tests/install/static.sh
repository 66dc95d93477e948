#!/bin/sh
# tests/install/static.sh SOURCES BUILD FOLDER CPACK - packs the static program of BUILD, a build with HWTRACE_STATIC, as a
# tarball, and runs its commands in a root folder that holds nothing but the tarball and traces.
set -eu

sources=$1 build=$2 folder=$3 cpack=$4
rm -rf "$folder"
mkdir -p "$folder/root"
(cd "$build" && "$cpack" -B "$folder/pack" -G TXZ) >"$folder/log" || {
    cat "$folder/log"
    exit 1
}
set -- "$folder"/pack/hwtrace-*-linux-*.tar.xz
[ $# -eq 1 ] && [ -s "$1" ] || { echo "the tarball: $*"; exit 1; }
name=$(basename "$1" .tar.xz)
tar -xJf "$1" -C "$folder"
tree=$folder/$name
echo "$name: $(($(wc -c <"$1") / 1024)) KiB, unpacked $(du -sk "$tree" | cut -f 1) KiB"

! readelf -lW "$tree/bin/hwtrace" | grep -q INTERP || { echo 'the program is not static'; exit 1; }
! readelf -dW "$tree/bin/hwtrace" | grep -q NEEDED || { echo 'the program needs libraries'; exit 1; }
doc=share/doc/hwtrace
for file in bin/hwtrace-convert share/man/man1/hwtrace-validate.1 share/bash-completion/completions/hwtrace-dump \
    share/zsh/site-functions/_hwtrace-info share/fish/vendor_completions.d/hwtrace.fish "$doc/README.md" \
    "$doc/licences/libzstd-dev.txt" "$doc/licences/libc6.txt" "$doc/licences/README.md"; do
    [ -s "$tree/$file" ] || { echo "the tarball lacks $file"; exit 1; }
done
[ -z "$(find "$tree" -name '*.a' -o -name '*.so' -o -name '*.hpp')" ] || { echo 'the tarball has files of the library'; exit 1; }

cp -r "$tree/bin" "$folder/root/bin"
mkdir "$folder/root/tmp"
cp "$sources"/testdata/stf/valid/sum.zstf "$sources"/testdata/pccx/valid/npu.pccx "$folder/root"
if [ "$(id -u)" -eq 0 ] && chroot "$folder/root" /bin/hwtrace --version >/dev/null 2>&1; then
    enter() { chroot "$folder/root" "$@"; }
elif unshare -r chroot "$folder/root" /bin/hwtrace --version >/dev/null 2>&1; then
    enter() { unshare -r chroot "$folder/root" "$@"; }
elif command -v bwrap >/dev/null && bwrap --bind "$folder/root" / /bin/hwtrace --version >/dev/null 2>&1; then
    enter() { bwrap --bind "$folder/root" / "$@"; }
else
    echo 'skip  the commands in an empty root folder: neither chroot, unshare -r nor bwrap works here'
    enter() { (cd "$folder/root" && tool=$1 && shift && "$folder/root$tool" "$@"); }
fi
run() { # run STATUS COMMAND...: output in the files stdout and stderr
    wanted=$1
    shift
    status=0
    enter "$@" >"$folder/stdout" 2>"$folder/stderr" </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || {
        echo "exit $status instead of $wanted: $*: $(head -5 "$folder/stderr")"
        exit 1
    }
}
says() { grep -q -- "$2" "$folder/$1" || { echo "'$2' is not on $1: $(head -5 "$folder/$1")"; exit 1; }; }

run 0 /bin/hwtrace-convert sum.zstf sum.uscope --clock 1GHz --verify
run 0 /bin/hwtrace-convert npu.pccx npu.pftrace
run 0 /bin/hwtrace-dump sum.uscope
says stdout sum
run 0 /bin/hwtrace-dump sum.zstf --view instructions
run 0 /bin/hwtrace-validate sum.zstf sum.uscope npu.pccx
run 0 /bin/hwtrace-info sum.zstf
says stdout instructions
run 0 /bin/hwtrace validate sum.zstf
run 0 /bin/hwtrace --version --json
says stdout '"linked": "static"'
says stdout '"loads_libraries": false'
if [ -e "$tree/bin/hwtrace-query" ]; then
    run 0 /bin/hwtrace-query npu.pccx --list
    run 0 /bin/hwtrace query npu.pccx 'SELECT count(*) FROM tracks'
    says stdout '[1-9]'
fi
run 2 /bin/hwtrace-record-qemu -o x.zstf -- ./program
HWTRACE_PLUGINS=./spans.so run 2 /bin/hwtrace-dump sum.zstf
says stderr 'linked statically and loads no libraries'
rm -rf "$folder"
