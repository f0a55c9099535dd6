// Generates clients from `openapi.json` with the tools that the arguments name, or lints it. A warning is a failure.

import { spawnSync } from 'node:child_process'

const DOCUMENT = '../../openapi.json'
const GENERATORS = {
  'openapi-typescript': ['node', 'openapi-typescript.mjs'],
  'hey-api': ['openapi-ts', '-f', 'hey-api.config.ts'],
  orval: ['orval', '--config', 'orval.config.ts'],
}
/** Their status says it; what they print may be about themselves. */
const LINTERS = {
  redocly: ['redocly', 'lint', '--config', 'redocly.yaml', DOCUMENT],
  spectral: ['spectral', 'lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', DOCUMENT],
}

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
let failures = 0
for (const name of process.argv.slice(2)) {
  const command = GENERATORS[name] ?? LINTERS[name]
  const { status, stdout, stderr } = spawnSync('npm', ['exec', '--no', '--', ...command], { encoding: 'utf8', env })
  const printed = `${stdout}${stderr}`
  if (status !== 0 || (name in GENERATORS && /\bwarn/i.test(printed))) {
    console.error(`${name} ended with status ${status}:\n${printed}`)
    failures += 1
  }
}
process.exit(failures === 0 ? 0 : 1)
