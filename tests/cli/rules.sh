# Tests that formats/RULES.md, the page of all rules, equals the output of hwtrace-validate, and that reports link to
# it.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
page=$2/../formats/RULES.md

expect 0 "$bin/hwtrace-validate" --list-rules --markdown
cmp -s stdout "$page" || fail "formats/RULES.md is out of date (its first lines state how to generate it):
$(diff stdout "$page" | head -20)"
expect 0 "$bin/hwtrace-validate" --list-rules
sed 's/ .*//' stdout >listed
sed -n 's/^### //p' "$page" >explained
[ "$(wc -l <listed)" -gt 300 ] || fail "few rules are listed: $(wc -l <listed)"
same listed explained

# A rule is explained with its title, its reason and its citation.
expect 0 "$bin/hwtrace-validate" --explain STF062
says stdout 'STF062 (error): the compressed data is cut'
says stdout 'The file ends inside a zstd frame.'
says stdout 'See formats/stf/README.md#compression'

# SARIF names the place on the page.
{ stf_header; printf '\360\063'; } >cut.stf
expect 3 "$bin/hwtrace-validate" cut.stf --report sarif
says stdout 'See formats/RULES.md#stf020; formats/stf/README.md#'

expect 2 "$bin/hwtrace-validate" --markdown
says stderr '--markdown requires --list-rules'
expect 2 "$bin/hwtrace-validate" --list-rules --markdown --json
finish
