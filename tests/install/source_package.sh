#!/bin/sh
# tests/install/source_package.sh SOURCES FOLDER - makes the Debian source package in FOLDER and builds its packages, without
# optimisation and without the Python module, which takes less time; lintian checks the source and the packages, and the
# packed commands convert a trace.
set -eu

sources=$1 folder=$2
for tool in dpkg-buildpackage dh; do
    command -v "$tool" >/dev/null || { echo "skip  the source package: $tool is not installed"; exit 0; }
done
rm -rf "$folder"
mkdir -p "$folder"
DEB_BUILD_OPTIONS="noopt nocheck ${DEB_BUILD_OPTIONS:-}" DEB_BUILD_PROFILES=nopython \
    sh "$sources/apps/debian/build.sh" "$folder" >"$folder/log" 2>&1 || {
    tail -30 "$folder/log"
    exit 1
}
for package in hwtrace libhwtrace0 libhwtrace-dev; do
    set -- "$folder/${package}"_*.deb
    [ -s "$1" ] || { echo "there is no package $package"; exit 1; }
    dpkg-deb -x "$1" "$folder/root"
done
"$folder/root/usr/bin/hwtrace" convert "$sources/testdata/stf/valid/sum.zstf" "$folder/sum.uscope" --clock 1GHz -q
"$folder/root/usr/bin/hwtrace" validate -q "$folder/sum.uscope" >/dev/null
dpkg-deb -f "$folder"/hwtrace_*.deb Depends | grep -q libzstd1
[ -s "$folder/root/usr/share/doc/libhwtrace-dev/examples/spans_plugin.cpp" ]
if command -v lintian >/dev/null; then
    lintian --fail-on error --tag-display-limit 0 "$folder"/*.changes
else
    echo 'skip  lintian on the source package: it is not installed'
fi
rm -rf "$folder"
