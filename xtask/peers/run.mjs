// Runs a peer: a warm-up, then every photo with its caption; prints what each took.
//
// node PEER.mjs FOLDER FONTS NAME

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, fonts, name] = process.argv.slice(2)

/** The folder of the fonts. */
export { folder, fonts }

/** Milliseconds of CPU of this process so far. */
export function ownMillis() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** `bake(photo, caption, path)` answers a JPEG file; `millis()` what was used so far. */
export async function run(bake, millis = ownMillis) {
  const { warmUp, captions } = JSON.parse(readFileSync(join(folder, 'captions.json')))
  const pictures = join(folder, 'pictures', name)
  mkdirSync(pictures, { recursive: true })
  const path = (number) => join(folder, `${String(number).padStart(2, '0')}.jpg`)
  for (let round = 0; round < 3; round += 1) await bake(readFileSync(path(round)), warmUp, path(round))
  for (const [number, caption] of captions.entries()) {
    const photo = readFileSync(path(number))
    const began = millis()
    const jpeg = await bake(photo, caption, path(number))
    console.log(`${number}\t${(millis() - began).toFixed(3)}`)
    writeFileSync(join(pictures, `${String(number).padStart(2, '0')}.jpg`), jpeg)
  }
}
