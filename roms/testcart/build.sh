#!/bin/sh
# Assembles the test cartridge. Usage: build.sh [ntsc|pal|practice OUTPUT.nes]
# Without arguments it replaces the committed images. Needs ca65 and ld65 only; the output is the same byte for byte
# every time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
    "$0" ntsc "$here/maxout-testcart.nes"
    "$0" pal "$here/maxout-testcart-pal.nes"
    "$0" practice "$here/maxout-testcart-practice.nes"
    exit
fi
case $1 in
    ntsc) region= ;;
    pal) region=-DPAL ;;
    practice) region=-DPRACTICE ;;
    *) echo "build.sh: $1: expected ntsc, pal or practice" >&2; exit 2 ;;
esac
out=$2
case $out in /*) ;; *) out=$PWD/$out ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here"
for part in main menus play draw data practice; do
    ca65 $region -I "$here" -o "$work/$part.o" "$part.s"
done
ld65 -C testcart.cfg -o "$out" \
    "$work/main.o" "$work/menus.o" "$work/play.o" "$work/draw.o" "$work/data.o" "$work/practice.o"
