#!/bin/sh
# tests/install/fresh.sh PACKAGES [MACHINE] - installs the packages in PACKAGES on a minimal Debian 12 in the folder
# MACHINE (default: a temporary one; debootstrap makes it if it does not exist). A user without root runs the examples of
# the manual pages (pages.sh), builds the examples of libhwtrace-dev, and follows the tutorial of hwtrace-record-qemu.
# Then the packages are purged and leave no files. Needs root and a mirror of Debian.
set -eu

sources=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(cd "${1:?the folder of the packages}" && pwd)
machine=${2:-}
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo 'skipped: a machine is made by root, with debootstrap'
    exit 77
fi
made=
if [ -z "$machine" ]; then
    made=$(mktemp -d "${TMPDIR:-/tmp}/hwtrace-fresh-XXXXXX")
    machine=$made/machine
fi
finish() {
    umount "$machine/proc" 2>/dev/null || true
    [ -z "$made" ] || rm -rf "$made"
}
trap finish EXIT
mkdir -p "$machine"
[ -e "$machine/usr/bin/g++" ] || debootstrap --variant=minbase \
    --include=man-db,less,jq,g++,cmake,make,pkg-config,passwd bookworm "$machine" >"$machine/log" || {
    tail -20 "$machine/log"
    exit 1
}
# The loader finds the library beside the commands by /proc.
umount "$machine/proc" 2>/dev/null || true
mount -t proc proc "$machine/proc"
inside() { chroot "$machine" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() { chroot --userspec=user:user "$machine" /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/home/user sh -eu -c "cd; $1"; }

rm -rf "$machine/hwtrace" "$machine/home/user"
mkdir "$machine/hwtrace"
cp "$packages"/*.deb "$machine/hwtrace"
cp -r "$sources/testdata" "$sources/tests/install/pages.sh" "$sources/tests/install/examples.sh" "$machine/hwtrace"
inside id user >/dev/null 2>&1 || inside useradd user
inside install -d -o user -g user /home/user
inside sh -c 'apt-get update -qq && apt-get install -y -qq /hwtrace/*.deb' >"$machine/hwtrace/log" 2>&1 || {
    tail -20 "$machine/hwtrace/log"
    exit 1
}

echo '== disassembly by the recommended library'
as_user 'hwtrace-dump /hwtrace/testdata/stf/valid/sum.zstf --view instructions' >"$machine/hwtrace/instructions"
grep -m 2 'addi' "$machine/hwtrace/instructions" || {
    echo 'nothing is disassembled'
    exit 1
}
echo '== the lines of the manual pages'
as_user 'sh /hwtrace/pages.sh /hwtrace/testdata'
echo '== the examples of libhwtrace-dev'
as_user 'cmake -S /usr/share/doc/libhwtrace-dev/examples -B built >log && cmake --build built >>log || { tail -20 log; exit 1; }
    sh /hwtrace/examples.sh ~/built ~/made /usr/bin && echo built and run'
echo '== a program becomes a trace, a profile and a picture: the tutorial of hwtrace-record-qemu'
inside apt-get install -y -qq qemu-user gcc-riscv64-linux-gnu libc6-dev-riscv64-cross >>"$machine/hwtrace/log" 2>&1 || {
    tail -20 "$machine/hwtrace/log"
    exit 1
}
page=$sources/apps/record-qemu/README.md
sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d' >"$machine/hwtrace/hello.c"
sed -n '/^## From C/,/^## What/s/^\$ //p' "$page" >"$machine/hwtrace/tutorial.sh"
[ "$(grep -c '' "$machine/hwtrace/tutorial.sh")" -eq 5 ] || {
    echo 'the tutorial has not five commands'
    exit 1
}
as_user 'cp /hwtrace/hello.c . && sh -eux /hwtrace/tutorial.sh && ls -l hello.zstf hello.pftrace' >"$machine/hwtrace/shown" 2>&1 || {
    cat "$machine/hwtrace/shown"
    exit 1
}
cat "$machine/hwtrace/shown"
for wanted in 'hello: 987' 'valid (0 errors, 0 warnings, 0 notes' '^    fibonacci '; do
    grep -q "$wanted" "$machine/hwtrace/shown" || {
        echo "the tutorial does not show: $wanted"
        exit 1
    }
done
echo '== without it'
inside sh -c "apt-get purge -y -qq hwtrace libhwtrace-dev python3-hwtrace 'libhwtrace[0-9]*'" >>"$machine/hwtrace/log" 2>&1
if inside sh -c "find / -xdev -path /hwtrace -prune -o -path /proc -prune -o -path /home -prune -o -name '*hwtrace*' -print" |
    grep -v '^/var/cache/\|^/var/log/\|^/var/lib/apt/'; then
    echo 'that is left of it'
    exit 1
fi
echo 'nothing is left'
