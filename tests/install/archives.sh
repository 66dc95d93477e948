#!/bin/sh
# tests/install/archives.sh SOURCES BUILD FOLDER CPACK - packs BUILD as a tarball and as Debian packages, runs lintian on
# them, and converts a trace with the packed commands. A check that is not possible prints "skip  WHAT: why".
set -eu

sources=$1 build=$2 folder=$3 cpack=$4

rm -rf "$folder"
mkdir -p "$folder/tar" "$folder/deb"
(cd "$build" && "$cpack" -B "$folder" -G TGZ) >"$folder/log" || {
    cat "$folder/log"
    exit 1
}
tar -xzf "$folder"/hwtrace-*.tar.gz -C "$folder/tar" --strip-components=1

try() { # try BIN
    rm -f "$folder/sum.uscope"
    "$1/hwtrace" convert "$sources/testdata/stf/valid/sum.zstf" "$folder/sum.uscope" --clock 1GHz -q
    "$1/hwtrace" dump "$folder/sum.uscope" | grep -q sum
    "$1/hwtrace" validate -q "$folder/sum.uscope" >/dev/null
}
try "$folder/tar/bin"
[ -n "$(find "$folder/tar" -name hwtrace-config.cmake)" ]
[ -n "$(find "$folder/tar" -name hwtrace-recover.1)" ]

if ! command -v dpkg-shlibdeps >/dev/null; then
    echo 'skip  the Debian packages: there is no dpkg-shlibdeps'
    rm -rf "$folder"
    exit 0
fi
(cd "$build" && "$cpack" -B "$folder" -G DEB) >"$folder/log" || {
    cat "$folder/log"
    exit 1
}
for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$folder/deb"; done
try "$folder/deb/usr/bin"
for name in hwtrace libhwtrace-dev; do
    [ -s "$folder/deb/usr/share/doc/$name/copyright" ]
    gzip -t "$folder/deb/usr/share/doc/$name/changelog.gz"
done
[ -s "$folder/deb/usr/share/doc/libhwtrace-dev/README.md" ] || { echo 'the library package lacks its README'; exit 1; }
# The packages have every page to which README.md links. LICENSE is /usr/share/doc/hwtrace/copyright.
sed -n 's/[^]]*](\([^)#:]*\)[^)]*)/\1\n/gp' "$sources/README.md" | grep -v -e '^$' -e '^LICENSE$' -e '^[^a-zA-Z]' | sort -u >"$folder/pages"
[ "$(wc -l <"$folder/pages")" -gt 20 ]
while read -r page; do
    [ -s "$folder/deb/usr/share/doc/hwtrace/$page" ] || [ -s "$folder/deb/usr/share/doc/hwtrace/$page.gz" ] || {
        echo "the packages lack $page, to which README.md links"
        exit 1
    }
done <"$folder/pages"
for page in libs/cli/schemas/validate.schema.json libs/cli/schemas/baseline.schema.json; do
    [ -s "$folder/deb/usr/share/doc/hwtrace/$page" ] || { echo "the packages lack $page"; exit 1; }
done
gzip -t "$folder/deb/usr/share/man/man1/hwtrace-merge.1.gz"
[ -s "$folder/deb/usr/share/zsh/vendor-completions/_hwtrace-info" ]
if command -v man >/dev/null && command -v jq >/dev/null; then
    PATH=$folder/deb/usr/bin:$PATH MANPATH=$folder/deb/usr/share/man sh "$sources/tests/install/pages.sh" "$sources/testdata"
else
    echo 'skip  the lines of the manual pages: there is no man, or no jq'
fi
dpkg-deb -f "$folder"/hwtrace_*.deb Depends | grep -q libzstd1

if command -v lintian >/dev/null; then
    lintian --fail-on error,warning --tag-display-limit 0 "$folder"/*.deb
else
    echo 'skip  lintian on the packages: it is not installed'
fi
rm -rf "$folder"
