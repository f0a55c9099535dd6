import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { FONTS, MIDDLE, OUTLINE, PITCH, SIZE, WIDTH, familiesOf } from './look.mjs'
import { folder, fonts, ownMillis, run } from './run.mjs'

const faces = FONTS.map(([file, family]) => `@font-face { font-family: '${family}'; src: url(${pathToFileURL(join(fonts, file))}) }`)
const page = `<!doctype html><style>${faces.join('\n')}
  body { margin: 0 }
  img { display: block; width: 1080px; height: 1920px }
  div { position: absolute; left: ${MIDDLE.x - WIDTH / 2}px; top: ${MIDDLE.y}px; width: ${WIDTH}px; transform: translateY(-50%);
    font: ${SIZE}px/${PITCH}px sans-serif; text-align: center; white-space: pre-line; color: #fff;
    -webkit-text-stroke: ${2 * OUTLINE}px #000; paint-order: stroke; stroke-linejoin: round }
</style><img><div dir="auto"></div>`
writeFileSync(join(folder, 'page.html'), page)

/** The processes that a process started, and those that they started. */
function descendants(root) {
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = [root]
  for (const parent of found) for (const [child, of] of parents) if (of === parent) found.push(child)
  return found.slice(1)
}

/** Milliseconds of CPU of every thread of those processes, as the scheduler counts them in nanoseconds. */
function threadMillis(processes) {
  let sum = 0
  for (const number of processes) {
    try {
      for (const thread of readdirSync(`/proc/${number}/task`)) {
        sum += Number(readFileSync(`/proc/${number}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
      }
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum
}

const [executablePath] = process.argv.slice(5)
const browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] })
const tab = await browser.newPage({ viewport: { width: 1080, height: 1920 } })
await tab.goto(pathToFileURL(join(folder, 'page.html')).href)
const started = descendants(process.pid)

async function bake(_photo, caption, path) {
  const shown = { photo: pathToFileURL(path).href, text: caption.lines.join('\n'), families: familiesOf(caption) }
  await tab.evaluate(async ({ photo, text, families }) => {
    const [image, words] = [document.querySelector('img'), document.querySelector('div')]
    image.src = photo
    words.textContent = text
    words.style.fontFamily = families
    await Promise.all([image.decode(), document.fonts.load(`70px ${families}`, text)])
  }, shown)
  return tab.screenshot({ type: 'jpeg', quality: 90 })
}

await run(bake, () => ownMillis() + threadMillis(started))
await browser.close()
