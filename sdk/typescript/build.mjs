// Builds the npm package: `node build.mjs VERSION FOLDER`. FOLDER gets `playout-VERSION.tgz` and, in `package`, what it is made of.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { write } from './operations.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const [version, folder] = [process.argv[2], resolve(process.argv[3])]
const staged = join(folder, 'package')

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: staged, stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(staged, { recursive: true })
for (const name of ['src', 'README.md', 'tsconfig.json']) cpSync(join(here, name), join(staged, name), { recursive: true })
cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
symlinkSync(join(here, 'node_modules'), join(staged, 'node_modules'))
const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
writeFileSync(join(staged, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
await write(join(root, 'openapi.json'), join(staged, 'src'))
run(process.execPath, 'node_modules/typescript/bin/tsc')
run('npm', 'pack', '--silent', '--pack-destination', folder)
