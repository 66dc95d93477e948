# Help, version, lists, colour, progress, and the launcher.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

for tool in hwtrace hwtrace-convert hwtrace-diff hwtrace-dump hwtrace-info hwtrace-merge hwtrace-recover hwtrace-split \
    hwtrace-validate; do
    expect 0 "$bin/$tool" --help
    silent stderr
    says stdout "$tool"
    [ "$(head -n 1 stdout | wc -c)" -gt 20 ] || fail "$tool --help does not say what it is for"
    expect 0 "$bin/$tool" --version
    grep -Eq "^$tool [0-9]+\.[0-9]+\.[0-9]+$" stdout || fail "$tool --version: $(cat stdout)"
done
for verb in convert diff dump info merge recover split validate; do
    expect 0 "$bin/hwtrace" "$verb" --version
    says stdout "hwtrace-$verb "
    expect 0 "$bin/hwtrace-$verb" --help
    for option in --from --tmpdir --jobs --quiet --verbose --color --progress --json-u64 --list-formats --max-block \
        --no-limits; do
        says stdout "$option"
    done
    case $verb in # of the formats' options, those that do something there
    convert | merge | recover | split)
        says stdout "--uscope-compression"
        ! grep -q -e --stf-physical stdout || fail "hwtrace-$verb --help shows an option of hwtrace-dump"
        ;;
    dump)
        says stdout "--stf-physical"
        ! grep -q -e --uscope-compression stdout || fail "hwtrace-dump --help shows an option about writing"
        ;;
    *) ! grep -q -e --uscope- -e --stf- stdout || fail "hwtrace-$verb --help shows options that do nothing there" ;;
    esac
    # Of the options that one command alone has, this one.
    for own in convert:--verify diff:--tolerance dump:--view info:--quick merge:--name split:--every \
        validate:--baseline; do
        option=${own#*:}
        if [ "${own%%:*}" = "$verb" ]; then
            says stdout "$option"
        elif grep -Eq -- "^ +$option( |,|\$)" stdout; then
            fail "hwtrace-$verb --help shows $option, which only hwtrace-${own%%:*} has"
        fi
    done
    expect 0 "$bin/hwtrace-$verb" --version --json
    says stdout '"schema": "hwtrace-version/1"'
    says stdout '"name": "uscope"'
    grep -Eq '^    "zstd": "[0-9]+\.[0-9]+\.[0-9]+"' stdout || fail "hwtrace-$verb --version --json tells of no zstd"
    expect 0 "$bin/hwtrace-$verb" --list-formats
    says stdout ".uscope"
    expect 0 "$bin/hwtrace-$verb" --list-formats --json
    says stdout '"name": "stf"'
done

expect 0 "$bin/hwtrace" --version --json
sed 's/"tool": "hwtrace"/"tool": "hwtrace-dump"/' stdout >wanted
expect 0 "$bin/hwtrace-dump" --version --json
same stdout wanted

# The launcher finds its verbs beside itself, and passes everything on.
expect 0 "$bin/hwtrace" dump small.stf
cp stdout wanted
expect 0 "$bin/hwtrace-dump" small.stf
same stdout wanted
expect 5 "$bin/hwtrace" dump absent.stf
says stderr "hwtrace-dump: absent.stf: "
expect 2 "$bin/hwtrace" dumb small.stf
says stderr "dumb"
cp "$bin/hwtrace" alone
expect 5 env PATH=/nowhere ./alone dump small.stf
expect 0 env PATH="$bin:$PATH" ./alone dump small.stf
same stdout wanted

expect 0 "$bin/hwtrace-dump" --list-views
says stdout records
expect 0 "$bin/hwtrace-dump" small.stf --view model
says stdout instruction

# Rules
expect 0 "$bin/hwtrace-validate" --list-rules
says stdout "GEN001  warning"
expect 0 "$bin/hwtrace-validate" --list-rules --json
says stdout '"id": "GEN001"'
expect 0 "$bin/hwtrace-validate" --explain STF020
says stdout "STF020 (error): "
expect 0 "$bin/hwtrace-validate" --explain STF009
says stdout "See formats/stf/README.md, Registers."
# What they advise is there: every option in a tool's help, every tool.
for tool in hwtrace-convert hwtrace-merge hwtrace-recover hwtrace-validate; do
    "$bin/$tool" --help >>help
done
"$bin/hwtrace-validate" --list-rules --json | grep '"why": ' >whys
grep -oE -e '--[a-z][a-z0-9-]+' whys | sort -u >advised
[ "$(wc -l <advised)" -gt 10 ] || fail "rules advise few options: $(cat advised)"
while read -r option; do
    grep -qE -e "$option([^a-z0-9-]|\$)" help || fail "rules advise $option, which no tool has"
done <advised
for tool in $(grep -oE 'hwtrace-(con|di|du|in|me|re|sp|va)[a-z]+' whys | sort -u); do
    [ -x "$bin/$tool" ] || fail "rules advise $tool, which is not there"
done

# Colour: never into a pipe, always when asked, on a terminal unless NO_COLOR.
{ stf_header; printf '\360\063'; } >cut.stf
escape=$(printf '\033')
expect 3 "$bin/hwtrace-dump" cut.stf
! grep -q "$escape" stderr || fail "colour into a pipe"
expect 3 "$bin/hwtrace-dump" cut.stf --color always
grep -q "$escape\[1;31merror" stderr || fail "no colour with --color always"
if command -v script >/dev/null; then
    TERM=xterm script -qec "$bin/hwtrace-dump cut.stf" /dev/null >terminal </dev/null
    grep -q "$escape\[1;31merror" terminal || fail "no colour on a terminal"
    for without in NO_COLOR=1 TERM=dumb; do
        env TERM=xterm $without script -qec "$bin/hwtrace-dump cut.stf" /dev/null >terminal </dev/null
        ! grep -q "$escape" terminal || fail "colour on a terminal with $without"
    done
else
    skip "terminals: there is no 'script' here"
fi

# Progress as JSON for programs; nothing unasked.
expect 0 "$bin/hwtrace-convert" small.stf quiet.uscope -q
silent stderr
expect 0 "$bin/hwtrace-convert" small.stf json.uscope --progress json -q
grep -Eq '^\{"progress":"small.stf","bytes":[0-9]+,"total":[0-9]+,"seconds":' stderr || fail "no progress: $(cat stderr)"

# A slow conversion on a terminal shows a bar, and takes it away.
if command -v script >/dev/null; then
    mkfifo slow.stf
    { stf_header; for _ in 1 2 3 4 5 6; do stf_instructions 10; sleep 0.4; done; } >slow.stf &
    TERM=xterm script -qec "$bin/hwtrace-convert slow.stf slow.uscope" /dev/null >terminal </dev/null
    wait
    grep -q 'MB/s' terminal || fail "no bar on a terminal"
    [ -s slow.uscope ] || fail "the slow conversion wrote nothing"
fi
finish
