import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'
import sharp from 'sharp'
import { MIDDLE, OUTLINE, PITCH, SIZE, WIDTH } from './look.mjs'
import { folder, fonts, run } from './run.mjs'

sharp.concurrency(1)

const latin = { name: 'TikTok Sans', data: readFileSync(join(fonts, 'TikTokSans-Bold.ttf')), weight: 700 }
const loaded = new Map([[latin.name, [latin]]])
const width = WIDTH + 2 * OUTLINE

/** The fonts of a caption; the same list again is not read again. */
function fontsOf({ font, family }) {
  if (!loaded.has(family)) {
    loaded.set(family, [latin, { name: family, data: readFileSync(join(fonts, font)), weight: 700 }])
  }
  return loaded.get(family)
}

function emojiOf(text) {
  const images = (text.match(/\p{RGI_Emoji}/gv) ?? []).map((sign) => {
    const name = [...sign].map((c) => c.codePointAt(0).toString(16)).join('-')
    const file = join(folder, 'emoji', `${name}.png`)
    return [sign, existsSync(file) && `data:image/png;base64,${readFileSync(file).toString('base64')}`]
  })
  return Object.fromEntries(images.filter(([, image]) => image))
}

await run(async (photo, caption) => {
  const style = {
    display: 'flex', flexDirection: 'column', alignItems: 'center', width, padding: OUTLINE, color: '#fff',
    fontFamily: `TikTok Sans, ${caption.family}`, fontSize: SIZE, fontWeight: 700, lineHeight: PITCH / SIZE, textAlign: 'center',
    WebkitTextStrokeWidth: 2 * OUTLINE, WebkitTextStrokeColor: '#000', paintOrder: 'stroke',
  }
  const root = { type: 'div', props: { style, children: caption.lines.map((line) => ({ type: 'div', props: { children: line } })) } }
  const svg = await satori(root, { width, fonts: fontsOf(caption), graphemeImages: emojiOf(caption.text) })
  const text = new Resvg(svg, { font: { loadSystemFonts: false } }).render()
  const raw = { width: text.width, height: text.height, channels: 4, premultiplied: true }
  const top = Math.round(MIDDLE.y - text.height / 2)
  const overlay = { input: Buffer.from(text.pixels), raw, left: Math.round(MIDDLE.x - width / 2), top }
  return sharp(photo).composite([overlay]).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer()
})
