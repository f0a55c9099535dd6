import { join } from 'node:path'
import { createCanvas, loadImage, registerFont } from 'canvas'
import { drawn } from './canvas2d.mjs'
import { FONTS } from './look.mjs'
import { fonts, run } from './run.mjs'

for (const [file, family] of FONTS) registerFont(join(fonts, file), { family, weight: 'bold' })

await run(async (photo, caption) => {
  const canvas = createCanvas(1080, 1920)
  drawn(canvas, await loadImage(photo), caption)
  return canvas.toBuffer('image/jpeg', { quality: 0.9, chromaSubsampling: true })
})
