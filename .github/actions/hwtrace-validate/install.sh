#!/usr/bin/env bash
# install.sh - installs hwtrace for the steps that follow: the static tarball or a Debian package (see action.yml).
set -euo pipefail

fail() {
    echo "::error title=hwtrace-validate::$1"
    exit 1
}
tarball=${HWTRACE_TARBALL:-} package=${HWTRACE_PACKAGE:-} wanted=${HWTRACE_WANTED:-}
[[ -z $tarball || -z $package ]] || fail 'give either tarball or package, not both'
if [[ -z $tarball && -z $package ]]; then
    [[ -n $wanted ]] || fail 'give a tarball, a package, or the version whose release is to be used'
    tarball=${GITHUB_SERVER_URL:-https://github.com}/${HWTRACE_REPOSITORY:-}/releases/download/v$wanted/hwtrace-$wanted-linux-x86_64.tar.xz
fi

folder=${RUNNER_TEMP:?}/hwtrace
rm -rf "$folder"
mkdir -p "$folder"
source=${tarball:-$package}
file=$folder/${source##*/}
case $source in
    http://* | https://*)
        curl --fail --silent --show-error --location --retry 3 --output "$file" "$source" || fail "cannot load $source"
        ;;
    *)
        [[ -f $source ]] || fail "$source: there is no such file; give a file of the workspace or a URL"
        cp "$source" "$file"
        ;;
esac
if [[ -n ${HWTRACE_SHA256:-} ]]; then
    sum=$(sha256sum "$file" | cut -d ' ' -f 1)
    [[ $sum == "$HWTRACE_SHA256" ]] || fail "$source has the SHA-256 $sum instead of $HWTRACE_SHA256"
fi

if [[ -n $package ]]; then
    as_root=
    [[ $(id -u) -eq 0 ]] || as_root=sudo
    $as_root apt-get install --yes --no-install-recommends "$file" || fail "cannot install $source"
    bin=/usr/bin
else
    tar -xJf "$file" -C "$folder" --strip-components=1 || fail "$source is not a tarball of hwtrace"
    bin=$folder/bin
    echo "$bin" >>"${GITHUB_PATH:?}"
fi
version=$("$bin/hwtrace-validate" --version | cut -d ' ' -f 2) || fail "$source has no hwtrace-validate that runs here"
[[ -z $wanted || $version == "$wanted" ]] || fail "$source is hwtrace $version instead of $wanted"
echo "hwtrace $version is in $bin"
