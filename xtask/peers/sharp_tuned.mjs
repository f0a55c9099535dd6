import sharp from 'sharp'
import { MIDDLE } from './look.mjs'
import { run } from './run.mjs'
import { box, svg } from './svg.mjs'

sharp.concurrency(1)

await run((photo, caption) => {
  const { width, height } = box(caption)
  const input = svg(caption, { width, height, middle: height / 2 })
  const overlay = { input, left: Math.round(MIDDLE.x - width / 2), top: Math.round(MIDDLE.y - height / 2) }
  return sharp(photo).composite([overlay]).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer()
})
