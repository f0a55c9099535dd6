import sharp from 'sharp'
import { MIDDLE } from './look.mjs'
import { run } from './run.mjs'
import { svg } from './svg.mjs'

sharp.concurrency(1)

await run((photo, caption) => {
  const input = svg(caption, { width: 1080, height: 1920, middle: MIDDLE.y })
  return sharp(photo).composite([{ input }]).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer()
})
