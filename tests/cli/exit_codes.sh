# Tests every exit code. Each message names the file and the reason.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# 0: done
expect 0 "$bin/hwtrace-convert" small.stf small.uscope
says stderr "hwtrace-convert: small.stf: assumption:"
expect 0 "$bin/hwtrace-convert" small.uscope back.stf -q
silent stderr
expect 0 "$bin/hwtrace-dump" small.stf
cp stdout records
expect 0 "$bin/hwtrace-dump" back.stf
same stdout records
for file in small.stf small.uscope; do
    expect 0 "$bin/hwtrace-validate" "$file"
    says stdout "$file: valid (0 errors, 0 warnings, 0 notes;"
    expect 0 "$bin/hwtrace-info" "$file"
    grep -Eq '^  instructions +2$' stdout || fail "hwtrace-info does not count 2 instructions in $file"
done

# 1: the answer is no
{ stf_header; printf '\000'; } >zero.stf
expect 1 "$bin/hwtrace-validate" zero.stf
says stdout "zero.stf: error STF022 at byte "
says stdout "zero.stf: invalid (1 error, "

# 2: usage errors
expect 2 "$bin/hwtrace-convert"
expect 2 "$bin/hwtrace-convert" small.stf
expect 2 "$bin/hwtrace-convert" small.stf new.uscope surplus
says stderr "unexpected argument 'surplus'"
expect 2 "$bin/hwtrace-convert" small.stf new.unknown
says stderr "--to"
expect 2 "$bin/hwtrace-convert" small.stf -
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --to vhdl
says stderr "uscope"
expect 2 "$bin/hwtrace-convert" small.stf new.page --to html
says stderr "--to html: unknown format (did you mean report?); known formats are "
expect 2 "$bin/hwtrace-convert" small.stf new.page --to .htm
says stderr "(did you mean report?)"
expect 2 "$bin/hwtrace-convert" small.stf new.page --to uscop
says stderr "--to uscop: unknown format (did you mean uscope?); known formats are "
expect 2 "$bin/hwtrace-dump" small.stf --from fst0
says stderr "--from fst0: unknown format (did you mean fst?)"
expect 2 "$bin/hwtrace-convert" small.stf new.page --to elephant
says stderr "--to elephant: unknown format; known formats are "
expect 0 "$bin/hwtrace-convert" small.stf new.htm
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --no-such-option
says stderr "unknown option '--no-such-option'; try hwtrace-convert --help"
expect 2 "$bin/hwtrace-dump" --dissasm=off small.stf
says stderr "unknown option '--dissasm' (did you mean --disasm?); try hwtrace-dump --help"
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --to
says stderr "--to needs a value"
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --clock fast
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --clock 3GHz
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --clock 5ms
says stderr "4294967295 ps"
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --explain --clock 18446744073709551615ps
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --ipc 0
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --max-block much
expect 2 "$bin/hwtrace-convert" small.stf new.uscope --uscope-compression best
expect 2 "$bin/hwtrace-dump"
expect 2 "$bin/hwtrace-dump" small.stf --view no-such-view
says stderr "records"
expect 2 "$bin/hwtrace-dump" small.stf --progress sometimes
expect 2 "$bin/hwtrace-info"
expect 2 "$bin/hwtrace-info" small.stf --format xml
expect 2 "$bin/hwtrace-validate"
expect 2 "$bin/hwtrace-validate" small.stf --rule NOT001=off
expect 2 "$bin/hwtrace-validate" small.stf --rule GEN001=loud
expect 2 "$bin/hwtrace-validate" small.stf --rule GEN001
expect 2 "$bin/hwtrace-validate" small.stf --report xml
expect 2 "$bin/hwtrace-validate" small.stf --report text --report json
expect 2 "$bin/hwtrace-validate" --explain NOT001
expect 2 "$bin/hwtrace"
expect 2 "$bin/hwtrace" no-such-verb
absent new.uscope

# 3: an incomplete trace, and the options that accept it
{ stf_header; stf_instructions 1; printf '\360\063'; } >cut.stf
expect 3 "$bin/hwtrace-convert" cut.stf cut.uscope
says stderr "hwtrace-convert: cut.stf: error STF020 at byte "
says stderr "--allow-incomplete"
[ -s cut.uscope ] || fail "the records before the damage were not converted"
expect 0 "$bin/hwtrace-convert" cut.stf cut.uscope --force --allow-incomplete
expect 3 "$bin/hwtrace-convert" cut.stf strict.uscope --strict
absent strict.uscope
expect 0 "$bin/hwtrace-convert" cut.stf strict.uscope --strict --allow-incomplete
expect 3 "$bin/hwtrace-dump" cut.stf
same stdout records
expect 0 "$bin/hwtrace-dump" cut.stf --allow-incomplete
expect 3 "$bin/hwtrace-info" cut.stf
expect 0 "$bin/hwtrace-info" cut.stf --allow-incomplete
expect 3 "$bin/hwtrace-validate" cut.stf
says stdout "cut.stf: incomplete (1 error, "
expect 0 "$bin/hwtrace-validate" cut.stf --allow-incomplete
# A file that ends inside its head is incomplete, too.
printf '\001ST' >begun.stf
printf 'ZSTF\002\000' >begun.zstf
for file in begun.stf begun.zstf; do
    expect 3 "$bin/hwtrace-validate" "$file"
    says stdout "$file: incomplete (1 error, "
    expect 4 "$bin/hwtrace-dump" "$file"
done

# Records that no reader can deliver make a trace incomplete for every command, even if it is valid.
printf '\331\331\367\237\306\104\202\053\301\000\322\000\377' >unknown.ftr # info, and a chunk of no known kind
for verb in dump info validate; do
    expect 3 "$bin/hwtrace-$verb" unknown.ftr
    expect 0 "$bin/hwtrace-$verb" unknown.ftr --allow-incomplete
done
expect 3 "$bin/hwtrace-convert" unknown.ftr new.uscope --allow-loss
rm new.uscope
expect 3 "$bin/hwtrace-validate" unknown.ftr
says stdout "unknown.ftr: incomplete (0 errors, 2 warnings, "
expect 0 "$bin/hwtrace-validate" unknown.ftr --rule FTR008=off
says stdout "unknown.ftr: incomplete (0 errors, "
expect 1 "$bin/hwtrace-validate" unknown.ftr --rule FTR008=error

# A cut file is incomplete, even if the cut breaks other rules too: here, the lost end held the runtime strings.
printf 'Kanata\t0004\nC=\t0\nI\t0\t0\t0\nL\t0\t0\tadd\nS\t0\t0\tF\nC\t1\nR\t0\t0\t0\n' >log.kanata
expect 0 "$bin/hwtrace-convert" log.kanata whole.uscope --uscope-compression none --force
size=$(wc -c <whole.uscope)
for bytes in $((size - 1)) $((size - 30)) $((size - 100)) $((size - 150)) $((size - 200)); do
    head -c "$bytes" whole.uscope >part.uscope
    expect 3 "$bin/hwtrace-validate" part.uscope
    says stdout "part.uscope: incomplete ("
done

# 4: not a trace
printf 'this is no trace' >text
: >empty
for file in text empty; do
    expect 4 "$bin/hwtrace-convert" "$file" new.uscope
    says stderr "hwtrace-convert: $file: "
    absent new.uscope
    expect 4 "$bin/hwtrace-dump" "$file"
    expect 4 "$bin/hwtrace-info" "$file"
    expect 4 "$bin/hwtrace-validate" "$file"
    says stdout "$file: invalid"
done

# 5: system errors
expect 5 "$bin/hwtrace-dump" absent.stf
says stderr "hwtrace-dump: absent.stf: cannot open: No such file or directory"
expect 5 "$bin/hwtrace-convert" absent.stf new.uscope
expect 5 "$bin/hwtrace-info" absent.stf
expect 5 "$bin/hwtrace-validate" absent.stf
expect 5 "$bin/hwtrace-dump" .
says stderr "hwtrace-dump: .: is a folder; give one of the files in it"
# A folder of tables is named as such.
expect 0 "$bin/hwtrace-convert" -q small.stf tables.csv
for command in 'convert tables.csv new.uscope' 'dump tables.csv' 'info tables.csv/' 'query tables.csv SELECT'; do
    [ -x "$bin/hwtrace-${command%% *}" ] || continue
    # shellcheck disable=SC2086
    expect 5 "$bin"/hwtrace-$command
    says stderr ": is a folder; hwtrace writes csv, but does not read it: give the trace that it was made of"
done
expect 5 "$bin/hwtrace-convert" small.stf no/such/folder/new.uscope
says stderr "no/such/folder/new.uscope"
if [ "$(id -u)" -eq 0 ]; then
    skip "unreadable files: root reads everything"
else
    cp small.stf locked.stf
    chmod 0 locked.stf
    expect 5 "$bin/hwtrace-dump" locked.stf
    says stderr "Permission denied"
fi

# 6: a limit. The message names the option that raises the limit.
{
    printf '\001STF\002\001\000\000\000\006\000\000\000\003\000\000\001\000'
    head -c 65536 /dev/zero
} >long_comment.stf
expect 6 "$bin/hwtrace-dump" long_comment.stf --max-string 1K
says stderr "--max-string"
says stderr "long_comment.stf"
expect 6 "$bin/hwtrace-validate" long_comment.stf --max-string 1K
says stdout "long_comment.stf: not checked: "

# All files are checked, and the worst result counts.
expect 5 "$bin/hwtrace-validate" zero.stf absent.stf small.stf
says stdout "zero.stf: invalid"
says stdout "absent.stf: not checked: cannot open: No such file or directory"
says stdout "small.stf: valid"
expect 1 "$bin/hwtrace-validate" cut.stf zero.stf small.stf
expect 4 "$bin/hwtrace-info" text small.stf --quick
says stdout "small.stf"


# A format option without effect is a usage error.
for tool in dump info validate; do
    expect 2 "$bin/hwtrace-$tool" small.stf --stf-chunk 0
    says stderr "--stf-chunk: it changes how traces are written"
done
expect 2 "$bin/hwtrace-convert" small.stf option.uscope --stf-chunk 5
says stderr "--stf-chunk has no effect on a uscope trace"
absent option.uscope
for name in option.stf option.stf.gz option.stf.xz; do
    expect 2 "$bin/hwtrace-convert" small.stf $name --stf-chunk 5
    says stderr "--stf-chunk changes nothing: only ZSTF has chunks"
    expect 2 "$bin/hwtrace-convert" small.stf $name --stf-level 5
    absent $name
done
expect 0 "$bin/hwtrace-convert" small.stf option.zstf --stf-chunk 1
expect 0 "$bin/hwtrace-dump" option.zstf --view instructions --stf-physical on
expect 0 "$bin/hwtrace-dump" option.zstf --format csv --stf-physical on
for view in records model; do
    expect 2 "$bin/hwtrace-dump" small.stf --view "$view" --stf-physical on
    says stderr "--stf-physical: it requires hwtrace-dump --view instructions"
done
expect 0 "$bin/hwtrace-dump" small.stf --stf-physical on
expect 2 "$bin/hwtrace-info" small.stf --stf-physical on
expect 2 "$bin/hwtrace-convert" small.stf option.stf --stf-physical on
absent option.stf
expect 2 "$bin/hwtrace-convert" small.stf option.flux --flux-block 4K
says stderr "--flux-block changes nothing"
absent option.flux
expect 2 "$bin/hwtrace-convert" small.stf option.pccx --explain --loss-report losses.json
says stderr "leave out --loss-report"
absent losses.json
for command in 'convert small.stf option.pccx' \
    'merge small.stf -o option.pccx' 'split small.stf -o option-{}.stf --every 1#' 'recover small.stf option.stf'; do
    expect 2 "$bin/hwtrace-${command%% *}" ${command#* } --json
    says stderr "--json works only with"
done
absent option.pccx
# Everywhere else, --json is --format json, or --report json.
for command in 'dump small.stf' 'info small.stf' 'diff small.stf small.stf' 'dump --list-views'; do
    expect 0 "$bin/hwtrace-${command%% *}" ${command#* } --format json
    is_data json "$command --format json"
    cp stdout wanted
    expect 0 "$bin/hwtrace-${command%% *}" ${command#* } --json
    same stdout wanted
done
expect 0 "$bin/hwtrace-validate" small.stf --report json
cp stdout wanted
expect 0 "$bin/hwtrace-validate" small.stf --json
same stdout wanted
expect 2 "$bin/hwtrace-dump" small.stf --json --format csv
says stderr "--json is the same as --format json; leave it out or leave out --format csv"
expect 2 "$bin/hwtrace-validate" small.stf --json --report text
says stderr "--json is the same as --report json"
for command in 'validate small.stf' 'convert small.stf option.pccx' 'recover small.stf option.stf'; do
    expect 2 "$bin/hwtrace-${command%% *}" ${command#* } --format json
done
absent option.pccx
for told in --help --version --list-formats; do # a full disk
    "$bin/hwtrace-convert" $told >/dev/full 2>stderr
    [ $? -eq 5 ] || fail "$told into a full disk does not exit with 5"
    says stderr "cannot write: No space left on device"
done
# Nobody expects a picture to hold everything: only --strict refuses what it does not show.
expect 0 "$bin/hwtrace-convert" "$2/stf/valid/traffic.stf" picture.vcd
says stderr 'relation'
expect 3 "$bin/hwtrace-convert" "$2/stf/valid/traffic.stf" strict.vcd --strict
absent strict.vcd
for asked in '--list-rules --rule STF062=off' '--explain STF062 small.stf' '--list-rules --report json'; do
    expect 2 "$bin/hwtrace-validate" $asked
    says stderr "check nothing"
done
finish
