// What the peers are given for nothing: captions.tsv becomes captions.json, with lines broken and the font found, and every emoji
// becomes a PNG file.
//
// node prepare.mjs FOLDER FONTS

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { FONTS, SIZE, WIDTH, fontOf } from './look.mjs'

const [folder, fonts] = process.argv.slice(2)
for (const [file, family] of FONTS) GlobalFonts.registerFromPath(join(fonts, file), family)
const families = FONTS.map(([, family]) => `"${family}"`).join(', ')
const measure = createCanvas(1, 1).getContext('2d')
measure.font = `bold ${SIZE}px ${families}`
const width = (text) => measure.measureText(text.trim()).width

/** What may stand on a line of its own: words with the space behind them, or words of a script that has no spaces. */
function pieces(text) {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u.test(text)) return text.split(/(?<=\s)/u)
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
  return words.reduce((list, { segment, isWordLike }) => {
    if (isWordLike || list.length === 0) return [...list, segment]
    return [...list.slice(0, -1), list.at(-1) + segment]
  }, [])
}

/** A word that is wider than a line in parts that are not. */
function parts(word) {
  if (width(word) <= WIDTH) return [word]
  return filled([...new Intl.Segmenter().segment(word)].map(({ segment }) => segment))
}

/** As many as fit on each line, as most people do it. */
function filled(words) {
  const lines = []
  for (const word of words) {
    if (lines.length > 0 && width(lines.at(-1) + word) <= WIDTH) lines[lines.length - 1] += word
    else lines.push(word)
  }
  return lines
}

const captions = readFileSync(join(folder, 'captions.tsv'), 'utf8').trimEnd().split('\n').map((line) => {
  const [group, text] = line.split('\t')
  const lines = filled(pieces(text).flatMap(parts)).map((part) => part.trim())
  return { group, text, lines, ...fontOf(text) }
})
const warmUp = { group: 'warm-up', text: 'Warming up', lines: ['Warming up'], ...fontOf('W') }
writeFileSync(join(folder, 'captions.json'), JSON.stringify({ warmUp, captions }))

mkdirSync(join(folder, 'emoji'), { recursive: true })
const emoji = new Set(captions.flatMap(({ text }) => text.match(/\p{RGI_Emoji}/gv) ?? []))
for (const sign of emoji) {
  const side = Math.round(SIZE * 1.25)
  const canvas = createCanvas(side, side)
  const drawing = canvas.getContext('2d')
  Object.assign(drawing, { font: `${SIZE}px "Noto Color Emoji"`, textAlign: 'center', textBaseline: 'alphabetic' })
  drawing.fillText(sign, side / 2, SIZE)
  writeFileSync(join(folder, 'emoji', `${nameOf(sign)}.png`), canvas.toBuffer('image/png'))
}

function nameOf(sign) {
  return [...sign].map((c) => c.codePointAt(0).toString(16)).join('-')
}
