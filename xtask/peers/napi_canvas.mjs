import { join } from 'node:path'
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas'
import { drawn } from './canvas2d.mjs'
import { FONTS } from './look.mjs'
import { fonts, run } from './run.mjs'

for (const [file, family] of FONTS) GlobalFonts.registerFromPath(join(fonts, file), family)

await run(async (photo, caption) => {
  const canvas = createCanvas(1080, 1920)
  drawn(canvas, await loadImage(photo), caption)
  return canvas.encode('jpeg', 90)
})
