#!/bin/sh
# apps/pictures/make.sh - makes the pictures of this folder again, from traces of testdata/.
#
#   sh apps/pictures/make.sh FOLDER    FOLDER has the commands, such as build/release/bin
#
# Needs chromium, and gtkwave with xvfb, xdotool and imagemagick, for screenshots; node and the engine of
# Perfetto (HWTRACE_TRACE_PROCESSOR) for timelines. Prints what it skips.
set -eu
cd "$(dirname "$0")/../.."
bin=$(cd "${1:?the folder of the commands}" && pwd)
pictures=$PWD/apps/pictures
data=$PWD/testdata
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH
cd "$work"

has() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "skipped: $1"; }

# shot NAME FILE: makes NAME.png of a page. Chromium is slow to paint a page with a large canvas.
shot() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1700 --virtual-time-budget=5000 \
        --screenshot="$work/$1.png" "file://$2" >chromium.log 2>&1
    mv "$work/$1.png" "$pictures/$1.png"
    echo "made $1.png"
}

# wave NAME FILE COMMANDS: makes NAME.png of a waveform in GTKWave. COMMANDS is a script for GTKWave.
wave() {
    xvfb-run -a -s '-screen 0 1200x600x24' sh -c '
        gtkwave --nomenu --rcvar 'hier_max_level 3' -S "$2" "$1" >gtkwave.log 2>&1 &
        viewer=$!
        window=
        tries=0
        while [ -z "$window" ] && [ "$tries" -lt 50 ]; do
            sleep 0.2
            tries=$((tries + 1))
            window=$(xdotool search --onlyvisible --name GTKWave | head -n 1) || true
        done
        xdotool windowmove "$window" 0 0 windowsize "$window" 1200 600
        sleep 2
        import -window root "$3"
        kill "$viewer"' sh "$2" "$3" "$pictures/$1.png"
    echo "made $1.png"
}

if has chromium; then
    hwtrace-convert "$data/pccx/valid/npu.pccx" npu.html
    shot report "$work/npu.html"
else
    skip 'report.png: chromium is not installed'
fi

if has gtkwave && has xvfb-run && has xdotool && has import; then
    hwtrace-convert "$data/pccx/valid/npu.pccx" npu.fst
    cat >signals.tcl <<'TCL'
set names [list]
for {set i 0} {$i < [gtkwave::getNumFacs]} {incr i} {
    set name [gtkwave::getFacName $i]
    if {[regexp {core0.*(busy|name|bytes)} $name]} { lappend names $name }
}
gtkwave::addSignalsFromList $names
gtkwave::/Time/Zoom/Zoom_Full
TCL
    wave gtkwave npu.fst signals.tcl
else
    skip 'gtkwave.png: gtkwave, xvfb, xdotool or imagemagick is not installed'
fi

if has node && [ -n "${HWTRACE_TRACE_PROCESSOR:-}" ]; then
    hwtrace-convert "$data/pccx/valid/npu.pccx" npu.pftrace
    node "$source/tests/cli/trace_processor.mjs" "
        select group_concat(line, char(10)) as answer from (
            select printf('%-28s %-12s %5d slices, %5d to %5d ns', t.name, s.name, count(*), min(s.dur), max(s.dur)) as line
            from slice s join track t on s.track_id = t.id group by t.name, s.name order by t.name, s.name)" \
        npu.pftrace >"$pictures/perfetto.txt"
    echo 'made perfetto.txt'
else
    skip 'perfetto.txt: node is not installed, or HWTRACE_TRACE_PROCESSOR is not set'
fi
