#!/bin/sh
# Draws the pictures and clips of the demo's month anew. Needs Node.js, Chromium and ffmpeg.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

shoot() { # name width height
    node draw.mjs "$1" > "$work/$1.svg"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
        --window-size="$2,$3" --screenshot="$work/$1.png" "file://$work/$1.svg" > "$work/log" 2>&1
}

for name in sails dusk spool loaf oven harbor plane fold night seedlings pool glasshouse; do
    shoot $name 1080 1440
    ffmpeg -y -loglevel error -i "$work/$name.png" -pix_fmt yuvj420p -q:v 5 -map_metadata -1 -bitexact $name.jpg
done
for name in kites steam; do
    shoot $name 6480 9600
    ffmpeg -y -loglevel error -i "$work/$name.png" -f lavfi -i anullsrc=r=44100:cl=mono -t 5 \
        -vf "untile=12x10,setpts=N/24/TB,fps=24,format=yuv420p" -c:v libx264 -preset veryslow -crf 29 -c:a aac -b:a 32k \
        -map_metadata -1 -bitexact -movflags +faststart $name.mp4
done
