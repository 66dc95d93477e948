# Tests that man pages and completions are complete, well formed, and understood by man page readers and shells.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
tools="hwtrace $(cd "$bin" && echo hwtrace-*)"

# names FILE: prints the names of the options in the file, one per line.
names() { grep -oE -- '(^|[^A-Za-z0-9_=-])--[a-z][a-z0-9-]*' "$1" | grep -oE -- '--[a-z0-9-]*' | sort -u; }

for tool in $tools; do
    "$bin/$tool" --help-man >"$tool.1" || fail "$tool --help-man"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        grep -qx ".SH $section" "$tool.1" || fail "$tool.1 has no $section"
    done
    # With the page of the command, it has a guide, which readers of man pages understand.
    guide=$(cd "$2/.." && pwd)/apps/${tool#hwtrace-}/README.md
    "$bin/$tool" --help-man --help-guide "$guide" >guided.1 || fail "$tool --help-guide"
    sections=$(grep -c '^## ' "$guide")
    [ "$sections" -eq 0 ] || grep -qx '.SH GUIDE' guided.1 || fail "$tool has no guide"
    [ "$(sed -n '/^.SH GUIDE/,/^.SH EXAMPLES/p' guided.1 | grep -c '^.SS ')" -ge "$sections" ] ||
        fail "the guide of $tool lacks sections of its $sections"
    LC_ALL=C grep -q '[^ -~]' guided.1 && fail "the guide of $tool is not ASCII"
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning guided.1 | grep -v 'missing date' >lint
        [ ! -s lint ] || fail "mandoc about the guide of $tool: $(head -3 lint)"
    fi
    if command -v groff >/dev/null; then
        groff -man -Tutf8 -ww -z guided.1 2>lint
        [ ! -s lint ] || fail "groff about the guide of $tool: $(head -3 lint)"
    fi
    LC_ALL=C grep -q '[^ -~]' "$tool.1" && fail "$tool.1 is not ASCII"
    for code in 0 2 5; do grep -qx ".B $code" "$tool.1" || fail "$tool.1 lacks exit code $code"; done
    [ "$tool" = hwtrace ] && continue
    # The recorder reads no traces, so that it lacks the exit codes and options of inputs.
    [ "$tool" = hwtrace-record-qemu ] && continue
    codes='4 6 70'
    [ "$tool" != hwtrace-serve ] || codes=70 # it reads no traces itself
    for code in $codes; do grep -qx ".B $code" "$tool.1" || fail "$tool.1 lacks exit code $code"; done
    # The page has the options of --help and no others.
    "$bin/$tool" --help >help
    sed 's/\\-/-/g; s/\\f[BIR]/ /g' "$tool.1" | grep -v help-man >page
    names help >wanted
    names page >got
    [ "$(wc -l <wanted)" -gt 20 ] || fail "$tool --help shows $(wc -l <wanted) options"
    same wanted got
done

# An option with the same value type has the same help in every binary. Only --strict has different effects, and
# --version of the recorder, which lists no formats.
for tool in $tools; do
    [ "$tool" = hwtrace ] || [ "$tool" = hwtrace-record-qemu ] || awk '/^\.SH/ { inside = /OPTIONS/ }
        inside && /^\\fB/ { option = $0; getline; print option "\t" $0 }' "$tool.1"
done | grep -v 'strict' | sort -u >helps
[ "$(wc -l <helps)" -gt 70 ] || fail "few options are compared: $(wc -l <helps)"
differing=$(cut -f 1 helps | uniq -d)
[ -z "$differing" ] || fail "binaries differ in the help of: $differing"

reads() { # reads NAME COMMAND...: COMMAND prints nothing about any page
    name=$1
    shift
    if ! command -v "$name" >/dev/null; then
        skip "$name: not installed; it does not check the man pages"
        return
    fi
    for tool in $tools; do
        "$@" "$tool.1" >complaints 2>&1
        # No page states a date: the same options make the same page on every day.
        grep -v 'missing date' complaints >others
        [ ! -s others ] || fail "$name: $(head -3 others)"
    done
}
reads mandoc mandoc -Tlint -W warning
reads groff groff -man -ww -Tutf8 -z
man_says() { LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null; }
reads man man_says

for shell in bash zsh fish; do
    for tool in $tools; do
        "$bin/$tool" --help-completion "$shell" >"$tool.$shell" || fail "$tool --help-completion $shell"
    done
done
expect 2 "$bin/hwtrace-dump" --help-completion csh
says stderr 'takes bash, zsh or fish'

if command -v bash >/dev/null; then
    mkdir bash
    for tool in $tools; do cp "$tool.bash" "bash/$tool"; done
    touch 'one file.stf'
    cat >complete.bash <<'EOF'
. "bash/$1"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"_${1//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
EOF
    offers() { # offers WANTED WORDS...
        wanted=$1
        shift
        got=$(bash --norc --noprofile complete.bash "$@" | tr '\n' ' ')
        [ "$got" = "$wanted " ] || fail "bash, $*: '$got' instead of '$wanted'"
    }
    offers '--color' hwtrace-convert --col
    offers '--color' hwtrace convert --col
    offers 'auto always never' hwtrace-convert --color ''
    offers 'always' hwtrace-convert --color = al
    offers 'uscope' hwtrace-convert in out --to u
    offers 'bincode bincode4' hwtrace-convert --pccx-layout b
    offers 'schema samples' hwtrace-dump --view s
    offers 'instructions' hwtrace dump --view i
    offers 'STF120 STF121' hwtrace-validate --explain STF12
    offers 'GEN001= GEN002=' hwtrace-validate --rule GEN
    offers 'GEN001= GEN002=' hwtrace-validate --rule = GEN
    offers 'off note warning error' hwtrace-validate --rule GEN001 = ''
    offers 'off note warning error' hwtrace-validate --rule GEN001 =
    offers 'warning' hwtrace-validate --rule = GEN001 = w
    offers 'error' hwtrace validate -q --rule GEN001 = e
    offers '--explain' hwtrace-validate --rule GEN001 = off --expl
    offers 'json jsonl junit' hwtrace-validate --report j
    offers 'one file.stf' hwtrace-convert -o one
    offers 'one file.stf' hwtrace-dump one
    offers 'one file.stf' hwtrace dump one
    offers 'bash' hwtrace-dump --tmpdir ba
    offers '' hwtrace-dump -j ''
    offers 'diff dump' hwtrace d
    offers '' hwtrace nothing --col
else
    skip 'bash: not installed; its completions are not tested'
fi

if command -v fish >/dev/null; then
    for tool in $tools; do cat "$tool.fish"; done >all.fish
    offers() { # offers WANTED LINE
        got=$(HOME=$work fish -N -c "source all.fish; complete -C '$2'" 2>&1 | sed 's/\t.*//' | sort | tr '\n' ' ')
        [ "$got" = "$1 " ] || fail "fish, $2: '$got' instead of '$1'"
    }
    offers '--color' 'hwtrace-convert --col'
    offers '--color' 'hwtrace convert --col'
    offers 'always auto never' 'hwtrace-convert --color '
    offers 'uscope' 'hwtrace merge --to u'
    offers 'GEN001 GEN002' 'hwtrace-validate --explain GEN'
    offers 'GEN001= GEN002=' 'hwtrace-validate --rule GEN'
    offers 'GEN001=error GEN001=note GEN001=off GEN001=warning' 'hwtrace-validate --rule GEN001='
    offers 'GEN001=warning' 'hwtrace validate --rule GEN001=w'
    offers '--rule=GEN001=off' 'hwtrace-validate --rule=GEN001=of'
    offers 'instructions' 'hwtrace-dump --view i'
    offers 'diff dump' 'hwtrace d'
else
    skip 'fish: not installed; its completions are not tested'
fi

if command -v zsh >/dev/null; then
    mkdir zsh
    for tool in $tools; do cp "$tool.zsh" "zsh/_$tool"; done
    # Types a line and the tabulator key in a terminal, and reads the completed line.
    cat >complete.zsh <<'EOF'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; TERM=dumb; fpath=($PWD/zsh \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; print -r re''ady"
zpty -r -m shell line '*ready*'
zpty -w -n shell "$1"$'\t'
zpty -r -m -t shell line "*$2*" || true
repeat 100; do
    [[ $line == *$2* ]] && break
    sleep 0.05
    zpty -r -t shell more && line+=$more
done
print -r -- "$line"
zpty -d shell
EOF
    offers() { # offers WANTED LINE
        got=$(HOME=$work zsh -f complete.zsh "$2" "$1" </dev/null 2>&1)
        case $got in *"$1"*) ;; *) fail "zsh, $2: '$got' instead of '$1'" ;; esac
    }
    offers '--color=' 'hwtrace-convert --col'
    offers '--color=always' 'hwtrace-convert --color=al'
    offers '--view=instructions' 'hwtrace-dump --view=instr'
    offers '--rule GEN001=' 'hwtrace-validate --rule GEN001'
    offers '--rule GEN001=warning' 'hwtrace-validate --rule GEN001=wa'
    offers '--rule=GEN001=warning' 'hwtrace-validate --rule=GEN001=wa'
    offers 'validate' 'hwtrace vali'
    offers '--color=' 'hwtrace convert --col'
else
    skip 'zsh: not installed; its completions are not tested'
fi
finish
