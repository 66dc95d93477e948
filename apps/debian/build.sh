#!/bin/sh
# apps/debian/build.sh [FOLDER] - makes the Debian source package of hwtrace in FOLDER (default: build/debian) and builds its
# binary packages with dpkg-buildpackage. Needs dpkg-dev and the Build-Depends of apps/debian/control.
#
# DEB_BUILD_OPTIONS, DEB_BUILD_PROFILES   as for every source package; the profile nopython leaves out the Python module
# DPKG_OPTIONS                            more options of dpkg-buildpackage, such as -S for the source alone
set -eu

sources=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$sources/build/debian}
for tool in dpkg-buildpackage dh tar xz; do
    command -v "$tool" >/dev/null || {
        echo "build.sh: $tool is not installed (Debian: apt-get install dpkg-dev debhelper xz-utils)" >&2
        exit 1
    }
done
version=$(sed -n '1s/.*(\(.*\)-.*).*/\1/p' "$sources/apps/debian/changelog")
grep -q "VERSION $version " "$sources/CMakeLists.txt" || {
    echo "build.sh: apps/debian/changelog is of version $version, and CMakeLists.txt is not" >&2
    exit 1
}
tree=$folder/hwtrace-$version
rm -rf "$tree"
mkdir -p "$tree"
(
    cd "$sources"
    # Without a clone, everything is part of the sources but the folders of builds.
    if git ls-files -z >/dev/null 2>&1; then git ls-files -z; else find . -path './build*' -prune -o -type f -print0; fi
) >"$folder/files"
tar -C "$sources" --null -T "$folder/files" --sort=name --owner=0 --group=0 -cf - | tar -xf - -C "$tree"
rm "$folder/files"
(cd "$folder" && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$(sed -n 's/^ -- .*>  //p' "$sources/apps/debian/changelog")" \
    -cJf "hwtrace_$version.orig.tar.xz" "hwtrace-$version")
mkdir "$tree/debian"
cp -r "$sources/apps/debian/." "$tree/debian"
rm "$tree/debian/build.sh" "$tree/debian/README.md"
cd "$tree"
# shellcheck disable=SC2086 # words
dpkg-buildpackage -us -uc ${DPKG_OPTIONS:-}
ls "$folder"
