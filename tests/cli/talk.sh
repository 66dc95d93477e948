# Tests help, version, lists, colour, progress, and the launcher.
. "$(dirname "$0")/lib.sh"
testdata=$(cd "$2" && pwd)
cd "$work" || exit 1

for tool in hwtrace hwtrace-convert hwtrace-diff hwtrace-dump hwtrace-index hwtrace-info hwtrace-merge hwtrace-record-qemu hwtrace-recover \
    hwtrace-serve hwtrace-split hwtrace-validate; do
    expect 0 "$bin/$tool" --help
    silent stderr
    says stdout "$tool"
    [ "$(head -n 1 stdout | wc -c)" -gt 20 ] || fail "$tool --help does not state its purpose"
    expect 0 "$bin/$tool" --version
    grep -Eq "^$tool [0-9]+\.[0-9]+\.[0-9]+$" stdout || fail "$tool --version: $(cat stdout)"
done

# -h fits a screen; --help is wrapped to the width of the terminal, and has the examples before the options.
widest() { LC_ALL=C.UTF-8 awk '{ if (length > most) most = length } END { print most }' "$1"; }
for tool in hwtrace-convert hwtrace-diff hwtrace-dump hwtrace-index hwtrace-info hwtrace-merge hwtrace-record-qemu hwtrace-recover \
    hwtrace-serve hwtrace-split hwtrace-validate; do
    expect 0 "$bin/$tool" -h
    silent stderr
    [ "$(wc -l <stdout)" -le 23 ] || fail "$tool -h has $(wc -l <stdout) lines"
    [ "$(widest stdout)" -le 80 ] || fail "$tool -h has $(widest stdout) columns"
    [ "$(sed -n "/^Examples/,/^Options:/p" stdout | grep -c "^  [^ ]")" -eq 3 ] || fail "$tool -h has not three examples"
    grep -qx "$tool --help shows all [0-9]* options." stdout || fail "$tool -h does not lead to --help"
    expect 0 env COLUMNS=200 "$bin/$tool" --help
    sed '/^Options:/,$!d' stdout >options.wide
    [ "$(widest options.wide)" -le 110 ] || fail "$tool --help has $(widest options.wide) columns"
    expect 0 env COLUMNS=60 "$bin/$tool" --help
    sed '/^Options:/,/^Exit/!d' stdout | grep -v '^ *-' >options.narrow
    [ "$(widest options.narrow)" -le 60 ] || fail "$tool --help has $(widest options.narrow) columns of 60"
    [ "$(grep -n '^Examples' stdout | cut -d : -f 1)" -lt "$(grep -n '^Options:' stdout | cut -d : -f 1)" ] ||
        fail "$tool --help has its examples behind the options"
done

# The short help cuts a text where it still says what the option does.
expect 0 "$bin/hwtrace-dump" -h
grep -qx ' *--around PLACE  *Only what surrounds a place' stdout || fail "-h of --around: $(grep -e --around stdout)"
expect 0 "$bin/hwtrace-validate" -h
grep -qx ' *--level .*  How much to check' stdout || fail "-h of --level: $(grep -e --level stdout)"
expect 0 "$bin/hwtrace-convert" -h
grep -q -e '--verify  *Reads the output back' stdout || fail "-h of --verify: $(grep -e --verify stdout)"

# offers VERB OPTION: checks that the help of the verb lists the option.
offers() { grep -qxF -- "$2" "options.$1"; }
verbs='convert diff dump index info merge recover serve split validate'
# hwtrace-query is built only with SQLite.
[ ! -x "$bin/hwtrace-query" ] || verbs="$verbs query"
# The options that only some verbs have.
cat >owners <<'END'
--align diff
--allow-empty diff
--allow-loss convert merge recover split
--around convert dump
--at dump
--baseline validate
--by split
--clock convert diff merge query split
--context convert diff dump
--counter dump
--csv-safe convert diff dump query
--depth split
--disasm dump
--elf convert dump info query
--entity dump
--every index split
--explain convert merge recover split validate
--fail-on validate
--first convert diff dump info query split
--follow dump
--force convert dump index merge recover split
--format diff dump info query
--host serve
--ignore diff
--interval dump info
--ipc convert merge split
--key diff
--last convert diff dump info query split
--list query
--listen serve
--level validate
--list-rules validate
--list-views dump
--loss-report convert merge recover split
--lowered diff
--markdown validate
--max-differences diff
--max-findings validate
--max-pieces split
--max-rows serve
--memory query
--name merge
--next info
--no-pager dump
--output convert dump index merge recover split
--quick info
--range convert diff dump info merge query split
--recursive validate
--remote serve
--report validate
--require-match convert dump info query
--rule validate
--select convert diff dump info merge query split
--strict convert merge recover split validate
--timeout serve
--to convert merge recover split
--tolerance diff
--verify convert merge recover split
--view dump
--window diff
--write-baseline validate
END
"$bin/hwtrace-convert" --list-formats --json | grep -oE '"name": "[a-z]+"' | sed 's/.*"\(.*\)"/\1/' >formats
[ "$(wc -l <formats)" -gt 5 ] || fail "few formats are listed: $(cat formats)"
for verb in $verbs; do
    expect 0 "$bin/hwtrace" "$verb" --version
    says stdout "hwtrace-$verb "
    expect 0 "$bin/hwtrace-$verb" --help
    sed -nE 's/^ +(-[[:alpha:]], )?(--[a-z0-9-]+)( .*)?$/\2/p' stdout | sort >"options.$verb"
    for option in --from --tmpdir --jobs --quiet --verbose --color --progress --json-u64 --list-formats --max-block \
        --no-limits; do
        offers "$verb" "$option" || fail "hwtrace-$verb --help shows no $option"
    done
    while read -r option owners; do
        case " $owners " in
        *" $verb "*) offers "$verb" "$option" || fail "hwtrace-$verb --help shows no $option" ;;
        *) ! offers "$verb" "$option" || fail "hwtrace-$verb --help shows $option, which is of: $owners" ;;
        esac
    done <owners
    # Each verb lists only format options with an effect: writers list all except the options of hwtrace-dump.
    sed 's/.*/^--&-/' formats | grep -f - "options.$verb" | grep -vx -e --csv-safe >shown
    case $verb in
    convert)
        cp shown writing
        offers "$verb" --uscope-compression || fail "hwtrace-convert --help shows no --uscope-compression"
        ! offers "$verb" --stf-physical || fail "hwtrace-convert --help shows an option of hwtrace-dump"
        ;;
    merge | recover | split) same shown writing ;;
    dump) [ "$(cat shown)" = --stf-physical ] || fail "hwtrace-dump --help shows other options of formats: $(cat shown)" ;;
    *) [ ! -s shown ] || fail "hwtrace-$verb --help shows options that do nothing there: $(cat shown)" ;;
    esac
    expect 0 "$bin/hwtrace-$verb" --version --json
    says stdout '"schema": "hwtrace-version/1"'
    says stdout '"name": "uscope"'
    grep -Eq '^    "zstd": "[0-9]+\.[0-9]+\.[0-9]+"' stdout || fail "hwtrace-$verb --version --json lacks zstd"
    expect 0 "$bin/hwtrace-$verb" --list-formats
    says stdout ".uscope"
    expect 0 "$bin/hwtrace-$verb" --list-formats --json
    says stdout '"name": "stf"'
done

# The same option has the same value and the same meaning in every command: its help begins with the same words. No two
# options of a command begin with the same words. These options differ, because they concern something else:
cat >different <<'END'
--every index
--explain validate
--interval info
--output dump
--output index
--output split
--strict validate
END
for verb in $verbs; do
    "$bin/hwtrace-$verb" --help-man | awk -v verb="$verb" '
        function plain(text) { gsub(/\\f[BIR]/, "", text); gsub(/\\-/, "-", text); return text }
        /^\.TP/ {
            getline names
            getline help
            names = plain(names)
            help = plain(help)
            if (!match(names, /--[a-z0-9-]+/)) next
            option = substr(names, RSTART, RLENGTH)
            value = substr(names, RSTART + RLENGTH + 1)
            if (index(value, "|")) value = "a choice"  # commands offer different ones
            sub(/ *[(:;.].*/, "", help)
            print option "\t" value "\t" help "\t" verb
        }'
done | grep -vE "^--($(tr '\n' '|' <formats)model)-" >table # without options of formats, which have their own test
[ "$(wc -l <table)" -gt 150 ] || fail "the table of options has $(wc -l <table) lines"
while read -r option verb; do
    grep -qP "^$option\t.*\t$verb\$" table || fail "$option of $verb does not exist, but is said to differ"
    grep -vP "^$option\t.*\t$verb\$" table >kept && mv kept table
done <different
cut -f 1-3 table | sort -u | cut -f 1 | uniq -d >mixed
while read -r option; do
    fail "$option differs: $(grep -P "^$option\t" table | cut -f 2- | tr '\t\n' ' ;')"
done <mixed
cut -f 1,3,4 table | sort -u | cut -f 2,3 | sort | uniq -d >twice
[ ! -s twice ] || fail "two options have one meaning: $(cat twice)"

expect 0 "$bin/hwtrace" --version --json
sed 's/"tool": "hwtrace"/"tool": "hwtrace-dump"/' stdout >wanted
expect 0 "$bin/hwtrace-dump" --version --json
same stdout wanted

# The launcher finds the verbs in its own folder and passes all arguments on.
expect 0 "$bin/hwtrace" dump small.stf
cp stdout wanted
expect 0 "$bin/hwtrace-dump" small.stf
same stdout wanted
expect 5 "$bin/hwtrace" dump absent.stf
says stderr "hwtrace-dump: absent.stf: "
expect 2 "$bin/hwtrace" dumb small.stf
says stderr "dumb"
# A launcher without the other commands in its folder starts the commands in PATH. Its library is moved with it.
mkdir -p moved/bin
cp "$bin/hwtrace" moved/bin
for library in "$bin"/../lib/hwtrace/*.so "$bin"/../lib/*/hwtrace/*.so; do
    [ -e "$library" ] || continue
    folder=moved/${library#"$bin"/../}
    mkdir -p "${folder%/*}"
    cp "$library" "$folder"
done
expect 5 env PATH=/nowhere moved/bin/hwtrace dump small.stf
expect 0 env PATH="$bin:$PATH" moved/bin/hwtrace dump small.stf
same stdout wanted
# A symbolic link finds the commands beside its target.
ln -s "$PWD/moved/bin/hwtrace" linked
expect 0 env PATH="$bin:$PATH" ./linked dump small.stf
same stdout wanted

expect 0 "$bin/hwtrace-dump" --list-views
says stdout records
expect 0 "$bin/hwtrace-dump" small.stf --view model
says stdout instruction

# A file instead of a verb is summarised; a misspelt verb, view, rule or field is corrected.
expect 0 "$bin/hwtrace" small.stf
says stdout "hwtrace-dump small.stf  "
cp stdout wanted
expect 0 "$bin/hwtrace-info" --next small.stf
same stdout wanted
cp small.stf "it's \$HOME.stf"
expect 0 "$bin/hwtrace" "it's \$HOME.stf"
sed -n "s/^ *\(hwtrace-validate .*'\).*/\1/p" stdout >advice
[ -s advice ] || fail "no advice: $(cat stdout)"
expect 0 env PATH="$bin:$PATH" sh ./advice
# Advice for a pipe can be followed, and a file whose name begins with a dash is a file.
"$bin/hwtrace" - <small.stf >stdout 2>stderr || fail "hwtrace - fails: $(cat stderr)"
says stdout "hwtrace-dump -  "
says stdout "hwtrace-convert - report.html"
cp small.stf ./-dash.stf
expect 0 "$bin/hwtrace" -dash.stf
says stdout "hwtrace-validate ./-dash.stf"
expect 0 "$bin/hwtrace" help dump
cp stdout wanted
expect 0 "$bin/hwtrace-dump" --help
same stdout wanted
expect 2 "$bin/hwtrace" dmp small.stf
says stderr "'dmp' is neither a verb nor a file (did you mean dump?)"
expect 2 "$bin/hwtrace" DUMP small.stf
says stderr "(did you mean dump?)"
expect 2 "$bin/hwtrace-dump" small.stf --sele kind=note
says stderr "unknown option '--sele' (did you mean --select?)"
expect 2 "$bin/hwtrace-dump" small.stf --zz
says stderr "unknown option '--zz'; try"
for itself in help -h --help; do
    expect 0 "$bin/hwtrace" help $itself
    says stdout "Usage: hwtrace VERB ..."
done
if [ -w /dev/full ]; then
    "$bin/hwtrace" --help >/dev/full 2>stderr && fail "hwtrace --help fits on a full disk"
    says stderr "<stdout>: cannot write: No space left on device"
fi
expect 2 "$bin/hwtrace-merge" small.stf small.stf -o merged.stf --first 2
says stderr "use --range for the same time of each trace, or hwtrace-convert --first"
expect 2 "$bin/hwtrace" help dmp
says stderr "(did you mean dump?)"
expect 2 "$bin/hwtrace-dump" small.stf --view instrutions
says stderr "stf has no such view (did you mean instructions?); it has records, "
expect 0 "$bin/hwtrace-validate" --explain Stf062
says stdout "STF062 (error): "
expect 0 "$bin/hwtrace-validate" small.stf --rule gen001=off
expect 2 "$bin/hwtrace-validate" --explain stf62
says stderr "unknown rule stf62 (did you mean STF062?)"
expect 2 "$bin/hwtrace-dump" "$2/ftr/valid/soc.ftr" --select adress=5
says stderr "has a field 'adress' (did you mean address?)"

# Rules
expect 0 "$bin/hwtrace-validate" --list-rules
says stdout "GEN001  warning"
expect 0 "$bin/hwtrace-validate" --list-rules --json
says stdout '"id": "GEN001"'
expect 0 "$bin/hwtrace-validate" --explain STF020
says stdout "STF020 (error): "
expect 0 "$bin/hwtrace-validate" --explain STF009
says stdout "See formats/stf/README.md#registers."
# The advice of rules is valid: every named tool exists and has the options that the advice names. Advice without a tool
# is about hwtrace-validate or hwtrace-convert.
"$bin/hwtrace-validate" --list-rules --json | grep '"why": ' >whys
advised=0
while read -r why; do
    named=
    for verb in $verbs; do
        case $why in *hwtrace-"$verb"*) named="$named $verb" ;; esac
    done
    for option in $(printf '%s\n' "$why" | grep -oE -e '--[a-z][a-z0-9-]+' | sort -u); do
        advised=$((advised + 1))
        offered=
        for verb in ${named:-validate convert}; do
            ! offers "$verb" "$option" || offered=yes
        done
        [ -n "$offered" ] || fail "a rule advises $option, which is not of:" ${named:-validate convert} "($why)"
    done
done <whys
[ "$advised" -gt 15 ] || fail "rules advise few options: $advised"
for tool in $(grep -oE 'hwtrace-(con|di|du|in|me|re|sp|va)[a-z]+' whys | sort -u); do
    [ -x "$bin/$tool" ] || fail "rules advise $tool, which does not exist"
done

# Colour is never written into a pipe, always with --color always, and on a terminal unless NO_COLOR is set.
{ stf_header; printf '\360\063'; } >cut.stf
escape=$(printf '\033')
expect 3 "$bin/hwtrace-dump" cut.stf
! grep -q "$escape" stderr || fail "colour into a pipe"
expect 3 "$bin/hwtrace-dump" cut.stf --color always
grep -q "$escape\[1;31merror" stderr || fail "no colour with --color always"
for case in 'small.stf 32mvalid' 'cut.stf 33mincomplete'; do
    "$bin/hwtrace-validate" "${case% *}" --color always >stdout 2>stderr
    grep -q "$escape\[1;${case#* }" stdout || fail "no colour in the report: $(cat stdout)"
    "$bin/hwtrace-validate" "${case% *}" >stdout 2>stderr
    ! grep -q "$escape" stdout || fail "colour in a report into a pipe"
done
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

# Progress can be printed as JSON. Without a terminal, no progress bar is shown.
expect 0 "$bin/hwtrace-convert" small.stf quiet.uscope -q
silent stderr
expect 0 "$bin/hwtrace-convert" small.stf json.uscope --progress json -q
grep -Eq '^\{"progress":"small.stf","bytes":[0-9]+,"total":[0-9]+,"seconds":' stderr || fail "no progress: $(cat stderr)"
# The bytes are those of the file as it is stored, also if it is compressed; records and output are counted.
gzip -c small.stf >packed.stf.gz
size=$(wc -c <packed.stf.gz)
expect 0 "$bin/hwtrace-convert" packed.stf.gz packed.uscope --progress json -q
tail -1 stderr | grep -q "\"bytes\":$size,\"total\":$size," || fail "the progress of a compressed file is $(tail -1 stderr), not $size"
tail -1 stderr | grep -Eq '"records":[1-9][0-9]*,"output_bytes":[1-9][0-9]*}$' || fail "no records or output: $(tail -1 stderr)"

# A slow conversion on a terminal shows a bar and erases it.
if command -v script >/dev/null; then
    mkfifo slow.stf
    stf_instructions 10 >some.stf
    # The trace continues until a bar appears, or long enough for one to have appeared.
    slowly() {
        stf_header
        for _ in $(seq 500); do
            cat some.stf
            ! grep -q 'records/s' terminal || break
            sleep 0.02
        done
    }
    : >terminal
    slowly >slow.stf &
    TERM=xterm script -qec "$bin/hwtrace-convert slow.stf slow.uscope" /dev/null >terminal </dev/null
    wait
    grep -q '[kM]B written' terminal || fail "no bar on a terminal"
    [ -s slow.uscope ] || fail "the slow conversion wrote nothing"
    # Ctrl-C erases the bar.
    mkfifo endless.stf
    { stf_header && while cat some.stf; do sleep 0.02; done; } >endless.stf 2>/dev/null &
    TERM=xterm script -qec "timeout -s INT 3 $bin/hwtrace-convert endless.stf ended.uscope" /dev/null >terminal </dev/null
    wait
    [ "$(tail -c 4 terminal | od -An -tx1)" = ' 0d 1b 5b 4b' ] || fail "Ctrl-C leaves the bar: $(tail -c 100 terminal)"
    [ ! -e ended.uscope ] || fail "Ctrl-C leaves an output"
fi

# So does a slow query. A condition that takes long for each row makes it slow.
if command -v script >/dev/null && [ -x "$bin/hwtrace-query" ]; then
    { stf_header; stf_instructions 13; } >queried.stf
    slow='(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT count(*) FROM n WHERE i > pc)'
    echo "SELECT count(*) AS counted FROM core0 WHERE $slow < 0" >slow.sql
    for redirection in '' '>counted'; do
        TERM=xterm script -qec "$bin/hwtrace-query queried.stf - <slow.sql $redirection" /dev/null >terminal </dev/null
        grep -q '[0-9] %  .* kB' terminal || fail "no bar while a query runs ($redirection): $(cat terminal)"
        tr -d '\r' <terminal | sed "s/.*$escape\[K//" >kept
        [ -n "$redirection" ] || mv kept counted
        [ "$(tail -n 1 counted)" -eq 0 ] || fail "the bar is in the answer: $(cat counted)"
    done
    [ "$(tr -d '\n' <kept)" = '' ] || fail "the bar is not erased: $(cat kept)"
fi
if [ -x "$bin/hwtrace-query" ]; then
    expect 0 "$bin/hwtrace-query" small.stf 'SELECT count(*) FROM core0' --progress json
    grep -Eq '^\{"progress":"small.stf","bytes":[1-9][0-9]*,"total":[0-9]+,"seconds":' stderr ||
        fail "a query has no progress: $(cat stderr)"
fi

# Only hwtrace-dump and hwtrace-convert take a place; the other commands say what they take instead.
for verb in diff info merge split validate recover; do
    expect 2 "$bin/hwtrace-$verb" small.stf --around '5#'
    says stderr "hwtrace-$verb: --around: "
done

# On a terminal, hwtrace-dump shows text in a pager; elsewhere, and with --no-pager, it does not.
if command -v script >/dev/null; then
    cat >mark <<'END'
#!/bin/sh
sed 's/^/paged: /'
END
    printf '#!/bin/sh\nexit 0\n' >leave
    chmod +x mark leave
    paged() { TERM=xterm script -qec "$1" /dev/null >terminal </dev/null; } # the exit code is that of the command
    export HWTRACE_PAGER="$PWD/mark"
    paged "$bin/hwtrace-dump small.stf" || fail "a paged dump fails"
    grep -q '^paged: .*VERSION' terminal || fail "no pager on a terminal: $(head -3 terminal)"
    for without in 'small.stf --no-pager' 'small.stf --format csv'; do
        paged "$bin/hwtrace-dump $without" || fail "hwtrace-dump $without fails"
        ! grep -q 'paged' terminal || fail "a pager with $without"
    done
    expect 0 "$bin/hwtrace-dump" small.stf
    ! grep -q paged stdout || fail "a pager without a terminal"
    # A finding goes to the pager as well, and the exit code stays.
    paged "$bin/hwtrace-dump cut.stf"
    [ $? -eq 3 ] || fail "a paged dump of a cut file does not exit with 3"
    grep -q '^paged: .*error' terminal || fail "the finding is not in the pager: $(cat terminal)"
    # Leaving the pager early is no error.
    stf_header >long.stf
    stf_instructions 14 >>long.stf
    HWTRACE_PAGER="$PWD/leave" paged "$bin/hwtrace-dump long.stf" || fail "leaving the pager is an error: $(cat terminal)"
    # The usual pager is less; PAGER names another one; an absent one is left out.
    unset HWTRACE_PAGER
    PAGER="$PWD/mark" paged "$bin/hwtrace-dump small.stf" || fail "PAGER fails"
    grep -q '^paged: ' terminal || fail "PAGER is not used"
    PAGER=/nowhere/pager paged "$bin/hwtrace-dump small.stf" || fail "an absent pager is an error"
    grep -q 'VERSION' terminal || fail "an absent pager hides the dump"
    PAGER="MARK=1 $PWD/mark" paged "$bin/hwtrace-dump small.stf" || fail "PAGER with a variable fails"
    grep -q '^paged: ' terminal || fail "PAGER with a variable is not used"
    # A pager that fails before it has read anything does not hide the output, however long it is.
    printf '#!/bin/sh\necho mine >&2\nexit 3\n' >failing
    chmod +x failing
    printf '#!/nowhere/interpreter\n' >no_interpreter
    chmod +x no_interpreter
    for broken in failing no_interpreter; do
        for long in small long; do
            "$bin/hwtrace-dump" $long.stf >whole
            PAGER="$PWD/$broken" paged "$bin/hwtrace-dump $long.stf" || fail "$broken is an error: $(head -3 terminal)"
            tr -d '\r' <terminal | grep -v "$broken\|^mine" | tr -s ' \n' ' ' >shown  # wrapped between words
            tr -s ' \n' ' ' <whole >words
            same shown words
        done
    done
    PAGER="$PWD/failing" paged "$bin/hwtrace-dump small.stf" || fail "a failing pager is an error"
    grep -q "the pager '$PWD/failing' failed; set HWTRACE_PAGER to another one, or use --no-pager" terminal ||
        fail "nothing says that the pager failed: $(cat terminal)"
    # A pager that has read something was left by the user.
    PAGER='head -n 1; exit 3' paged "$bin/hwtrace-dump long.stf" || fail "leaving the pager with 3 is an error"
    [ "$(wc -l <terminal)" -le 2 ] || fail "the output goes on after the pager: $(wc -l <terminal) lines"
    # Ctrl-C ends the work, when the user has left the pager. In a background job, it is ignored.
    if ! sh -c 'kill -INT $$'; then
        mkfifo endless
        { cat long.stf; sleep 20; } >endless &
        writer=$!
        {
            tries=0
            while [ ! -s paged_text ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
            kill -INT "$(cat reader)"
        } &
        # shellcheck disable=SC2016 # the inner shell expands it
        PAGER='cat >paged_text' paged 'echo $$ >reader; exec '"$bin/hwtrace-dump endless"
        [ $? -eq 130 ] || fail "Ctrl-C does not end a paged dump: $(cat terminal)"
        [ -s paged_text ] || fail "nothing was paged before Ctrl-C"
        kill $writer 2>/dev/null
    fi
    export HWTRACE_PAGER=cat
else
    skip "the pager: there is no 'script' here"
fi

# On a terminal, lists and messages are wrapped between words; a pipe gets a line per entry. Colour follows NO_COLOR.
if command -v script >/dev/null; then
    on_terminal() { TERM=xterm COLUMNS='' script -qec "stty cols 80; unset COLUMNS; $1" /dev/null </dev/null | tr -d '\r' >terminal; }
    for list in 'hwtrace-dump --list-formats' 'hwtrace-dump --list-views' 'hwtrace-validate --list-rules' \
        'hwtrace-validate --explain STF031'; do
        on_terminal "$bin/$list"
        [ -s terminal ] || fail "$list prints nothing"
        [ "$(wc -L <terminal)" -le 80 ] || fail "$list has lines of $(wc -L <terminal) columns"
        # shellcheck disable=SC2086
        expect 0 "$bin"/$list
        [ "$(tr -s ' \n' ' ' <terminal)" = "$(tr -s ' \n' ' ' <stdout)" ] || fail "$list differs on a terminal"
    done
    for trace in "$testdata"/vcd/valid/*.vcd "$testdata"/pccx/valid/npu.pccx "$testdata"/uscope/valid/pipeline.uscope; do
        on_terminal "$bin/hwtrace-info '$trace'"
        grep -v "^$testdata" terminal >tables
        [ "$(wc -L <tables)" -le 80 ] || fail "hwtrace-info $trace has lines of $(wc -L <tables) columns"
    done
    on_terminal "$bin/hwtrace-convert small.stf assumed.uscope"
    [ "$(wc -L <terminal)" -le 80 ] || fail "a message has $(wc -L <terminal) columns: $(cat terminal)"
    grep -q 'records from' terminal || fail "no summary: $(cat terminal)"
    if grep -q ' 0\.[0-9] s' terminal; then
        ! grep -q 'records/s' terminal || fail "a rate of less than a second is noise: $(cat terminal)"
    fi
    for command in dump validate diff; do
        [ "$command" = diff ] && other=small.stf || other=
        on_terminal "HWTRACE_PAGER=cat $bin/hwtrace-$command --color never cut.stf $other"
        [ "$(wc -L <terminal)" -le 80 ] || fail "hwtrace-$command has lines of $(wc -L <terminal) columns"
        [ -s terminal ] || fail "hwtrace-$command prints nothing on a terminal"
    done
    # A file that cannot be checked is reported once on a terminal, and on stderr if stdout goes elsewhere.
    for redirection in '' '>report' '2>messages'; do
        on_terminal "$bin/hwtrace-validate absent.stf $redirection"
        [ "$(grep -c 'cannot open' terminal)" -eq 1 ] || fail "hwtrace-validate absent.stf $redirection: $(cat terminal)"
    done
    grep -q '^hwtrace-validate: absent.stf: cannot open' messages || fail "no message in a file: $(cat messages)"
    grep -q '^absent.stf: not checked: cannot open' report || fail "no line in a report: $(cat report)"
    on_terminal "$bin/hwtrace-validate absent.stf --report json"
    grep -q '^hwtrace-validate: absent.stf: cannot open' terminal || fail "no message beside JSON: $(cat terminal)"
    escape=$(printf '\033')
    on_terminal "$bin/hwtrace-diff small.stf cut.stf"
    grep -q "$escape.*different" terminal || fail "hwtrace-diff has no colour: $(cat terminal)"
    on_terminal "NO_COLOR=1 $bin/hwtrace-diff small.stf cut.stf"
    ! grep -q "$escape" terminal || fail "hwtrace-diff has colour with NO_COLOR"
    "$bin/hwtrace-diff" small.stf cut.stf >stdout 2>stderr
    ! grep -q "$escape" stdout || fail "hwtrace-diff has colour in a pipe"
    on_terminal "$bin/hwtrace-diff --summary small.stf cut.stf"
    grep -q "$escape.*different" terminal || fail "hwtrace-diff --summary has no colour: $(cat terminal)"
fi

finish
