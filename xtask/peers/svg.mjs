// A caption as SVG, which sharp draws by librsvg.

import { OUTLINE, PITCH, SIZE, WIDTH, familiesOf } from './look.mjs'

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** How much of a slide the caption takes. */
export function box({ lines }) {
  return { width: WIDTH + 2 * OUTLINE, height: lines.length * PITCH + 2 * OUTLINE }
}

/** An SVG of that size with the caption in its middle. */
export function svg(caption, { width, height, middle }) {
  const first = middle - ((caption.lines.length - 1) * PITCH) / 2 + SIZE * 0.35
  const line = (text, number) =>
    `<text x="50%" y="${first + number * PITCH}">${text.replace(/[&<>]/g, (sign) => ESCAPES[sign])}</text>`
  const families = familiesOf(caption).replace('TikTok Sans', 'TikTok Sans Light')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g font-family="${families}" font-weight="700"
      font-size="${SIZE}" text-anchor="middle" fill="#fff" stroke="#000" stroke-width="${2 * OUTLINE}" stroke-linejoin="round"
      paint-order="stroke">${caption.lines.map(line).join('')}</g></svg>`,
  )
}
