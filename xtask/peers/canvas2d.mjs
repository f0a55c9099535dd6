// A caption by the drawing context of browsers, which two peers have.

import { MIDDLE, OUTLINE, PITCH, SIZE, familiesOf } from './look.mjs'

/** The photo with the caption on it. */
export function drawn(canvas, photo, caption) {
  const context = canvas.getContext('2d')
  context.drawImage(photo, 0, 0)
  context.font = `bold ${SIZE}px ${familiesOf(caption)}`
  Object.assign(context, { textAlign: 'center', textBaseline: 'alphabetic', fillStyle: '#fff', strokeStyle: '#000' })
  Object.assign(context, { lineJoin: 'round', lineWidth: 2 * OUTLINE })
  const first = MIDDLE.y - ((caption.lines.length - 1) * PITCH) / 2 + SIZE * 0.35
  const at = caption.lines.map((line, number) => [line, MIDDLE.x, first + number * PITCH])
  at.forEach((line) => context.strokeText(...line))
  at.forEach((line) => context.fillText(...line))
}
