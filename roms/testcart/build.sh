#!/bin/sh
# Assembles the test cartridge. Usage: build.sh [OUTPUT.nes]
# Needs ca65 and ld65 only; the output is the same byte for byte every time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/maxout-testcart.nes}
case $out in /*) ;; *) out=$PWD/$out ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here"
for part in main menus play draw data; do
    ca65 -I "$here" -o "$work/$part.o" "$part.s"
done
ld65 -C testcart.cfg -o "$out" \
    "$work/main.o" "$work/menus.o" "$work/play.o" "$work/draw.o" "$work/data.o"
