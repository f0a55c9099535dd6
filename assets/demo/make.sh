#!/bin/sh
# Draws the demo clip and photos anew, with ffmpeg alone. Takes some minutes: geq is thorough rather than fast.
set -eu
cd "$(dirname "$0")"

# One colour channel of a sea at dusk that loops after six seconds: a sky from $1 to $2, a sun of light $3, and four
# waves of colours $4 to $7, each lit along its crest. X, Y and T are ffmpeg's; t is one turn in six seconds.
sea() {
  echo "st(0,2*PI*T/6)\
;st(1,Y-(700+22*sin(X/120+ld(0))+10*sin(X/53-2*ld(0))))\
;st(2,Y-(800+28*sin(X/160-ld(0)+1)+12*sin(X/61+2*ld(0))))\
;st(3,Y-(920+34*sin(X/140+ld(0)+2.2)+12*sin(X/47-2*ld(0)+1)))\
;st(4,Y-(1070+38*sin(X/180-ld(0)+4)+14*sin(X/71+2*ld(0)+2)))\
;st(5,hypot(X-360,Y-(590+12*sin(ld(0)))))\
;st(6,$1+($2-($1))*pow(clip(Y/760,0,1),1.5))\
;st(6,ld(6)+($3-ld(6))*max(clip(151-ld(5),0,1),0.62*exp(-ld(5)/190)))\
;st(6,ld(6)+($4+70*exp(-ld(1)/16)-30*clip(ld(1)/150,0,1)-ld(6))*clip(ld(1),0,1))\
;st(6,ld(6)+($5+60*exp(-ld(2)/14)-30*clip(ld(2)/170,0,1)-ld(6))*clip(ld(2),0,1))\
;st(6,ld(6)+($6+50*exp(-ld(3)/12)-26*clip(ld(3)/200,0,1)-ld(6))*clip(ld(3),0,1))\
;st(6,ld(6)+($7+44*exp(-ld(4)/11)-22*clip(ld(4)/210,0,1)-ld(6))*clip(ld(4),0,1))\
;clip(ld(6),0,255)"
}

chord="0.050*sin(2*PI*220*t)*(0.6+0.4*sin(2*PI*t/3))\
+0.035*sin(2*PI*277.18*t)*(0.6+0.4*sin(2*PI*t/4+1))\
+0.035*sin(2*PI*329.63*t)*(0.6+0.4*sin(2*PI*t/2+2))\
+0.020*sin(2*PI*440*t)*(0.5+0.5*sin(2*PI*t/6))"

ffmpeg -v error -y \
  -f lavfi -i "color=black:size=720x1280:rate=30:duration=6" \
  -f lavfi -i "aevalsrc='$chord':d=6:s=44100" \
  -filter_complex "[0:v]format=gbrp,geq=r='$(sea 38 255 255 196 142 82 36)':g='$(sea 22 132 226 84 58 38 22)':b='$(sea 92 118 176 138 140 118 78)',noise=alls=3:allf=t,format=yuv420p[v];[1:a]afade=t=in:d=0.8,afade=t=out:st=5:d=1[a]" \
  -map "[v]" -map "[a]" -c:v libx264 -preset slow -crf "${CRF:-25}" -profile:v high -g 60 -c:a aac -b:a 48k -ac 1 \
  -movflags +faststart -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact clip.mp4

# One still of the same sea, $1, at second $2 and in the colours $3 (red), $4 (green) and $5 (blue), at 1080x1440.
photo() {
  still() { sea $1 | sed -e "s/T/$2/g" -e 's/X/(X*2\/3)/g' -e 's/Y/(Y*2\/3+150)/g'; }
  ffmpeg -v error -y -f lavfi -i "color=black:size=1080x1440" -filter_complex \
    "format=gbrp,geq=r='$(still "$3" "$2")':g='$(still "$4" "$2")':b='$(still "$5" "$2")',noise=alls=2,format=yuvj420p" \
    -frames:v 1 -q:v 3 -map_metadata -1 -fflags +bitexact -flags:v +bitexact "$1"
}

photo photo-1.jpg 1.2 "255 255 255 214 150 92 44" "150 214 244 120 74 46 30" "128 150 206 110 104 92 70"
photo photo-2.jpg 3.1 "96 236 255 96 40 18 8" "178 240 250 190 148 104 60" "206 214 226 172 146 116 82"
photo photo-3.jpg 4.7 "8 44 236 52 30 18 8" "14 70 240 92 60 36 18" "44 128 252 150 112 74 44"
