# plugin.sh - sourced after lib.sh with $source, $build, $folder and $cmake: skips the test if QEMU or the compiler is
# missing, finds the plugin, and defines record(). QEMU cannot load a plugin with sanitizers; if $build has no plugin,
# builds one in $folder.
programs=$source/tests/record_qemu
cross=riscv64-linux-gnu-gcc
for needed in qemu-riscv64 $cross; do
    if ! command -v $needed >/dev/null; then
        echo "skipped: $needed is not installed (Debian: qemu-user, gcc-riscv64-linux-gnu, libc6-dev-riscv64-cross)"
        exit 77
    fi
done

plugin=$(find "$build/lib" -name libhwtrace-qemu.so | head -1)
if [ -z "$plugin" ]; then
    "$cmake" -S "$source" -B "$folder" -D CMAKE_BUILD_TYPE=Debug -D HWTRACE_SANITIZE=OFF >"$work/log" 2>&1 &&
        "$cmake" --build "$folder" --target hwtrace_qemu_plugin --parallel 2 >>"$work/log" 2>&1 || {
        tail -20 "$work/log"
        fail "the plugin cannot be built"
        finish
    }
    plugin=$(find "$folder" -name libhwtrace-qemu.so | head -1)
fi
record() { "$bin/hwtrace-record-qemu" --plugin "$plugin" "$@"; }
