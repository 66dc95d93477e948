#!/bin/sh
# apps/packages.sh [tests] - installs the Debian packages that are needed for building and, with "tests", for testing.
# Also tries to install optional packages: libcurl for URLs, libdw for symbols of programs, LLVM's library for disassembly, SQLite, and
# what the Python module needs;
# the others are for tests. Does nothing and needs no permission if all packages are installed.
set -eu

wanted='g++ cmake ninja-build pkg-config libcli11-dev liblz4-dev libzstd-dev zlib1g-dev liblzma-dev nlohmann-json3-dev libfmt-dev'
optional='libbz2-dev libcurl4-openssl-dev libdw-dev libllvm14 libsqlite3-dev pybind11-dev python3-dev python3-numpy'
if [ "${1:-}" = tests ]; then
    wanted="$wanted doctest-dev libprotozero-dev strace"
    optional="$optional debhelper dh-python dpkg-dev fish g++-riscv64-linux-gnu gcc-riscv64-linux-gnu gcovr gtkwave iverilog libc6-dev-riscv64-cross libsystemc-dev libxml2-utils lintian mandoc parallel python3-jsonschema python3-matplotlib python3-pandas python3-pip python3-setuptools python3-venv python3-wheel python3-yaml qemu-user sqlite3 verilator zsh"
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "packages.sh: this is not Debian; install these packages (Debian names): $wanted" >&2
    exit 0
fi

absent() { # absent PACKAGES...: prints the packages that are not installed
    for package; do
        status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
        case $status in
            ii*) ;;
            *) printf ' %s' "$package" ;;
        esac
    done
}

# shellcheck disable=SC2086 # words
missing=$(absent $wanted)
# shellcheck disable=SC2086 # words
missing_optional=$(absent $optional)
[ -n "$missing$missing_optional" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
    # Without a terminal for the password, fail at once instead of waiting for one.
    if [ -n "${CI:-}" ] || [ ! -t 0 ]; then as_root='sudo -n'; fi
elif [ -n "$missing" ]; then
    echo "packages.sh: install these as root, then try again:$missing" >&2
    exit 1
else
    echo "packages.sh: optional packages are missing; root can install them:$missing_optional" >&2
    exit 0
fi

echo "installing:$missing$missing_optional"
install() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" </dev/null; }
[ -z "$missing" ] || $as_root apt-get update -q </dev/null
# shellcheck disable=SC2086 # words
[ -z "$missing" ] || install $missing
# shellcheck disable=SC2086 # words
[ -z "$missing_optional" ] || install $missing_optional || echo "packages.sh: optional packages could not be installed:$missing_optional" >&2
