#!/bin/sh
# apps/packages.sh [tests] - installs the Debian packages that building takes, and with "tests" those that testing takes.
# Nothing is done, and no right is needed, where all of them are there.
set -eu

wanted='g++ cmake ninja-build pkg-config libcli11-dev liblz4-dev libzstd-dev zlib1g-dev liblzma-dev nlohmann-json3-dev libfmt-dev'
if [ "${1:-}" = tests ]; then
    wanted="$wanted doctest-dev strace"
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "packages.sh: this is no Debian; needed are what Debian calls: $wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case $status in
        ii*) ;;
        *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
    # Where nobody can type a password, fail at once instead of waiting for one.
    if [ -n "${CI:-}" ] || [ ! -t 0 ]; then as_root='sudo -n'; fi
else
    echo "packages.sh: install these as root, then try again:$missing" >&2
    exit 1
fi

echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q </dev/null
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing </dev/null
