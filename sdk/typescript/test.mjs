// Installs the package in a new folder, checks the types of programs that use it, and runs them: `node test.mjs PACKAGE FOLDER`.
// The examples of the README are among them.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const [packed, folder] = process.argv.slice(2, 4).map((path) => resolve(path))

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
run('npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', packed)

cpSync(join(here, 'tests'), folder, { recursive: true })
const readme = readFileSync(join(folder, 'node_modules/playout/README.md'), 'utf8')
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text)
for (const [index, text] of examples.entries()) {
  // As TypeScript for its types, and as it is for Node.js, which needs no build. The last one has types.
  writeFileSync(join(folder, `readme-${index + 1}.ts`), text)
  if (index < examples.length - 1) writeFileSync(join(folder, `readme-${index + 1}.mjs`), text)
}

// As a user with strict types; `@types/node` are those of the package's own build.
const compilerOptions = {
  ...{ target: 'ES2022', module: 'NodeNext', lib: ['ES2023'], strict: true, outDir: 'compiled' },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ types: ['node'], typeRoots: [join(here, 'node_modules/@types')] },
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
run(process.execPath, join(here, 'node_modules/typescript/bin/tsc'))
run(process.execPath, 'compiled/journey.js')
