# Tests that every citation resolves. A relative link in a page leads to a file and, with #anchor, to a heading. A page
# or source that a file names exists. No file cites texts that are not in the repository.
. "$(dirname "$0")/lib.sh"
cd "$2/.." || exit 1

# The files of the sources; folders of builds are skipped.
find . -name .git -prune -o -type d -exec test -e '{}/CMakeCache.txt' ';' -prune -o -type f \( -name '*.md' -o -name '*.[chv]pp' -o \
    -name '*.[ch]' -o -name '*.sv' -o -name '*.sh' -o -name '*.py' -o -name '*.awk' -o -name '*.cmake' -o \
    -name 'CMake*.txt' -o -name 'CMakePresets.json' -o -name '*.schema.json' -o -name '*.in' -o -name '*.yml' \) -print |
    sed 's|^\./||' | LC_ALL=C sort >"$work/files"
[ "$(wc -l <"$work/files")" -gt 300 ] || fail "few files are looked at: $(wc -l <"$work/files")"
grep '\.md$' "$work/files" >"$work/pages"

# anchors PAGE: "PAGE#anchor" for each of its headings, as hosts of Markdown pages make it.
while read -r page; do
    LC_ALL=C awk -v page="$page" '
        /^ *(```|~~~)/ { fenced = !fenced; next }
        fenced || !/^##?#?#?#?#? / { next }
        {
            sub(/^#+ +/, ""); sub(/ +#* *$/, "")
            while (match($0, /\]\([^)]*\)/)) $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
            $0 = tolower($0)
            gsub(/[^a-z0-9 _\200-\377-]/, "")
            gsub(/ /, "-")
            times = seen[$0]++
            print page "#" $0 (times ? "-" times : "")
        }' "$page"
done <"$work/pages" >"$work/anchors"
[ "$(wc -l <"$work/anchors")" -gt 300 ] || fail "few headings are found: $(wc -l <"$work/anchors")"

# "FILE:LINE TARGET" for each relative link of a page, outside of code, and for each page that any file names. A link is
# relative to its page. A name may also be relative to a folder above the file, or to formats/ in one.
while read -r page; do
    LC_ALL=C awk -v page="$page" '
        /^ *(```|~~~)/ { fenced = !fenced; next }
        fenced { next }
        {
            gsub(/`[^`]*`/, "`")
            while (match($0, /\]\([^) ]*/)) {
                target = substr($0, RSTART + 2, RLENGTH - 2)
                $0 = substr($0, RSTART + RLENGTH)
                if (target !~ /^[a-z]+:/) print page ":" FNR " " target
            }
        }' "$page"
done <"$work/pages" >"$work/links"
[ "$(wc -l <"$work/links")" -gt 50 ] || fail "few links are found: $(wc -l <"$work/links")"

# resolve FOLDER PATH: the path from the root, without "." and "..".
resolve() {
    printf '%s/%s\n' "$1" "$2" | awk -F/ '{
        count = 0
        for (i = 1; i <= NF; ++i)
            if ($i == "..") { if (count) --count; else $i = "" }
            else if ($i != "." && $i != "") part[++count] = $i
        path = ""
        for (i = 1; i <= count; ++i) path = path (i > 1 ? "/" : "") part[i]
        print path
    }'
}
# is_there PATH ANCHOR: checks that the page has the heading. Without an anchor, checks that the file exists.
is_there() {
    [ -e "$1" ] || return 1
    [ -z "$2" ] || grep -qxF -- "$1#$2" "$work/anchors"
}

while read -r place target; do
    file=${place%%:*}
    path=${target%%#*}
    anchor=
    case $target in *'#'*) anchor=${target#*#} ;; esac
    if [ -n "$path" ]; then path=$(resolve "$(dirname "$file")" "$path"); else path=$file; fi
    is_there "$path" "$anchor" || fail "$place: the link '$target' leads nowhere"
done <"$work/links"

# RULES.md repeats the rules, which are sources; its links are checked above. A path after a shell variable is skipped.
grep -vE '^(CHANGELOG|formats/RULES)\.md$|^tests/cli/(citations|rules)\.sh$' "$work/files" >"$work/sources"
tr '\n' '\0' <"$work/sources" | LC_ALL=C xargs -0 awk '
    /\.md/ {
        gsub(/\\n/, " ")
        while (match($0, /[A-Za-z0-9_.\/-]*[A-Za-z0-9_-]\.md(#[A-Za-z0-9_-]+)?/)) {
            if (substr($0, 1, RSTART - 1) !~ /[$}]$/) print FILENAME ":" FNR ":" substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' >"$work/named"
named=0
while IFS=: read -r file line target; do
    path=${target%%#*}
    anchor=
    case $target in *'#'*) anchor=${target#*#} ;; esac
    case $path in /*) continue ;; esac  # of an address, or made by a script
    named=$((named + 1))
    found=
    folder=$(dirname "$file")
    while :; do
        for base in "$folder" "$folder/formats"; do
            [ -n "$found" ] || ! is_there "$(resolve "$base" "$path")" "$anchor" || found=yes
        done
        [ "$folder" != . ] && [ -z "$found" ] || break
        folder=$(dirname "$folder")
    done
    [ -n "$found" ] || fail "$file:$line: there is no $target"
done <"$work/named"
[ "$named" -gt 50 ] || fail "few pages are named in the sources: $named"

# Sources that comments and pages name with their folder: "codec/reader.hpp", "hwtrace/codec/reader.hpp".
grep -E '\.([chv]pp|[ch]|md)$' "$work/sources" | tr '\n' '\0' | LC_ALL=C xargs -0 awk '
    /#include|:\/\// { next }
    FILENAME !~ /\.md$/ && !sub(/^.*\/\//, "") { next }
    {
        while (match($0, /[a-z_]+\/[A-Za-z0-9_.\/-]*\.([ch]pp|sv)/)) {
            print FILENAME ":" FNR ":" substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' >"$work/named"
[ "$(wc -l <"$work/named")" -gt 300 ] || fail "few sources are named: $(wc -l <"$work/named")"
while IFS=: read -r file line target; do
    grep -qE "(^|/)$(printf '%s' "${target#hwtrace/}" | sed 's/\./\\./g')\$" "$work/files" || fail "$file:$line: there is no $target"
done <"$work/named"

# Texts outside of the repository, which its authors used.
tr '\n' '\0' <"$work/sources" | LC_ALL=C xargs -0 grep -nE \
    '(^|[^A-Za-z0-9_/-])(spec/[a-z]*|study/|DESIGN([^A-Za-z_]|$)|CONTRACT([^A-Za-z_]|$))' /dev/null >"$work/absent"
while IFS=: read -r file line text; do
    fail "$file:$line: cites a text that is not in the repository: $text"
done <"$work/absent"
finish
