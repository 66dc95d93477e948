#!/bin/sh
# tests/install/action.sh SOURCES BIN FOLDER - tests the GitHub Action in .github/actions/hwtrace-validate: its description and
# the workflow on the page of hwtrace-validate are checked (strictly by action.py; by the schemas of SchemaStore, which the
# npm package @action-validator/core holds, if it can be had), and its steps run as the runner of GitHub runs them, with a
# tarball that holds the commands in BIN.
set -eu

sources=$1 bin=$2 folder=$3
action=$sources/.github/actions/hwtrace-validate
failures=0
for tool in bash python3 curl xz sha256sum; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
python3 -c 'import yaml' 2>/dev/null || { echo 'skipped: python3-yaml is not installed'; exit 77; }
rm -rf "$folder"
mkdir -p "$folder/workspace/traces" "$folder/temp" "$folder/release/hwtrace/bin"
fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

sed -n '/^## GitHub Actions/,/^## GitLab/p' "$sources/apps/validate/README.md" | awk '/^```yaml$/ { block = "" } { block = block $0 "\n" } /^```$/ { last = block } END { printf "%s", last }' |
    sed '1d;/^```/,$d' >"$folder/workflow.yml"
python3 "$sources/tests/install/action.py" "$action" "$folder/workflow.yml" "$folder" || fail 'the strict check'
archive="action-validator-core-0.6.0.tgz"
if command -v node >/dev/null && command -v npm >/dev/null &&
    (cd "$folder" && npm pack @action-validator/core@0.6.0 >/dev/null 2>&1) &&
    echo "a48f55be8d76a1d0e66dd9bbdfdd583c09e2bd5110539f1b4cd9512d442843bd  $folder/$archive" | sha256sum -c --quiet; then
    tar -xzf "$folder/$archive" -C "$folder"
    cat >"$folder/schemas.cjs" <<'END'
const { readFileSync } = require('node:fs');
const { validateAction, validateWorkflow } = require('./package/action_validator.js');
const [action, workflow] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8'));
const errors = [...validateAction(action).errors, ...validateWorkflow(workflow).errors];
// A damaged description must be refused, or the schemas check nothing.
const checks = validateAction(action.replace('using: composite', 'using: nothing')).errors.length > 0;
if (errors.length > 0 || !checks) throw new Error(JSON.stringify(errors));
END
    node "$folder/schemas.cjs" "$action/action.yml" "$folder/workflow.yml" || fail 'the schemas of SchemaStore'
else
    echo 'skipped: the schemas of SchemaStore: there is no node, or npm cannot load @action-validator/core'
fi
if command -v shellcheck >/dev/null; then shellcheck "$action"/*.sh || fail shellcheck; fi

# A tarball as the release has it, with scripts that start the commands of the build.
for name in hwtrace hwtrace-validate; do
    printf '#!/bin/sh\nexec "%s/%s" "$@"\n' "$bin" "$name" >"$folder/release/hwtrace/bin/$name"
    chmod +x "$folder/release/hwtrace/bin/$name"
done
version=$("$bin/hwtrace" --version | cut -d ' ' -f 2)
(cd "$folder/release" && tar -cJf "$folder/workspace/hwtrace.tar.xz" hwtrace)
sum=$(sha256sum "$folder/workspace/hwtrace.tar.xz" | cut -d ' ' -f 1)
cp "$sources/testdata/stf/valid/sum.zstf" "$folder/workspace/traces"
head -c 500 "$folder/workspace/traces/sum.zstf" >"$folder/workspace/cut.zstf"
cd "$folder/workspace"

# step NAME STATUS [VARIABLE=VALUE...]: runs the step's line of action.yml (action.py wrote it) with these inputs.
step() {
    name=$1 wanted=$2
    shift 2
    : >"$folder/output"
    : >"$folder/path"
    status=0
    env -u HWTRACE_PLUGINS PATH="$added$PATH" GITHUB_ACTION_PATH="$action" RUNNER_TEMP="$folder/temp" GITHUB_OUTPUT="$folder/output" \
        GITHUB_PATH="$folder/path" "$@" bash --noprofile --norc -eo pipefail "$folder/$name.step" >"$folder/stdout" 2>"$folder/stderr" || status=$?
    [ "$status" -eq "$wanted" ] || fail "step $name: exit $status instead of $wanted: $(cat "$folder/stdout" "$folder/stderr")"
}
says() { grep -qF -- "$2" "$folder/$1" || fail "'$2' is not in $1: $(cat "$folder/$1")"; }

added=
step install 0 HWTRACE_TARBALL=hwtrace.tar.xz HWTRACE_WANTED="$version" HWTRACE_SHA256="$sum"
says stdout "hwtrace $version is in "
added=$(cat "$folder/path"):
[ -x "${added%:}/hwtrace-validate" ] || fail 'GITHUB_PATH does not lead to the commands'
step install 1
says stdout '::error title=hwtrace-validate::give a tarball, a package, or the version'
step install 1 HWTRACE_TARBALL=a HWTRACE_PACKAGE=b
says stdout 'not both'
step install 1 HWTRACE_TARBALL=absent.tar.xz
says stdout 'there is no such file'
step install 1 HWTRACE_TARBALL=hwtrace.tar.xz HWTRACE_SHA256=12
says stdout "has the SHA-256 $sum instead of 12"
step install 1 HWTRACE_TARBALL=cut.zstf
says stdout 'is not a tarball of hwtrace'
step install 1 HWTRACE_TARBALL=hwtrace.tar.xz HWTRACE_WANTED=7.7.7
says stdout "is hwtrace $version instead of 7.7.7"
step install 0 HWTRACE_TARBALL=hwtrace.tar.xz

step validate 0 HWTRACE_PATHS='traces' HWTRACE_SARIF=found.sarif
says output exit-code=0
says output sarif=found.sarif
python3 -c 'import json; assert json.load(open("found.sarif"))["version"] == "2.1.0"' || fail 'found.sarif'
step validate 1 HWTRACE_PATHS='traces
*.zstf' HWTRACE_LEVEL=structure HWTRACE_FAIL_ON=warning HWTRACE_SARIF=found.sarif
says output exit-code=1
says output sarif=found.sarif
says stdout '::error file=cut.zstf'
step validate 0 HWTRACE_PATHS='traces/**/*.zstf' HWTRACE_OPTIONS='--max-findings 3 --quiet'
says output sarif=hwtrace.sarif
step validate 2 HWTRACE_PATHS='*.nothing'
says stdout "no file matches the paths '*.nothing'"
step validate 2 HWTRACE_PATHS='traces' HWTRACE_LEVEL=deep HWTRACE_SARIF=none.sarif
says output exit-code=2
! grep -q sarif "$folder/output" || fail 'a step that ran nothing has findings'
step validate 5 HWTRACE_PATHS='absent.zstf'

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
cd /
rm -rf "$folder"
