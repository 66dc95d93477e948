#!/usr/bin/env bash
# validate.sh - runs hwtrace-validate with annotations and SARIF, writes the outputs of the step, and ends with the exit
# code of hwtrace-validate (see action.yml).
set -uo pipefail

fail() {
    echo "::error title=hwtrace-validate::$1"
    exit 2
}
shopt -s globstar nullglob
paths=()
# Words are separated by blanks and lines; patterns are expanded.
for word in ${HWTRACE_PATHS:-}; do
    paths+=("$word")
done
if ((${#paths[@]} == 0)); then
    fail "no file matches the paths '${HWTRACE_PATHS:-}'"
fi
read -r -a options <<<"$(tr '\n' ' ' <<<"${HWTRACE_OPTIONS:-}")"
sarif=${HWTRACE_SARIF:-hwtrace.sarif}
rm -f "$sarif"

hwtrace-validate --recursive --level "${HWTRACE_LEVEL:-full}" --fail-on "${HWTRACE_FAIL_ON:-error}" \
    --report github --report "sarif=$sarif" ${options[@]+"${options[@]}"} -- "${paths[@]}"
code=$?
{
    echo "exit-code=$code"
    [[ ! -s $sarif ]] || echo "sarif=$sarif"
} >>"${GITHUB_OUTPUT:?}"
exit "$code"
