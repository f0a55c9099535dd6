// A service of our own, to be killed and started again.

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A `playoutd serve` on a directory, with a workspace and a key. */
export class Service {
  static async create(program, dir) {
    mkdirSync(dir, { recursive: true })
    const service = new Service()
    const port = await freePort()
    service.url = `http://127.0.0.1:${port}`
    service.program = program
    service.options = {
      cwd: dir,
      env: {
        ...process.env,
        PLAYOUT_DATA_DIR: dir,
        PLAYOUT_LISTEN: `127.0.0.1:${port}`,
        PLAYOUT_BASE_URL: service.url,
        PLAYOUT_RATE_LIMIT: 'off',
        PLAYOUT_LOG: 'warn',
      },
    }
    const workspace = service.#admin('workspace', 'create', '--name', 'Conformance')
    service.key = service.#admin('key', 'create', '--name', 'tus', '--workspace', workspace.id).key
    service.#start()
    await service.ready()
    return service
  }

  #admin(...args) {
    return JSON.parse(execFileSync(this.program, ['admin', ...args, '--json'], this.options))
  }

  #start() {
    this.process = spawn(this.program, ['serve'], { ...this.options, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  /** Kills it with SIGKILL and starts it again, without waiting for it. */
  restart() {
    this.process.once('exit', () => this.#start())
    this.process.kill('SIGKILL')
  }

  /** Waits until it answers, five minutes at most: the machine may be busy. */
  async ready() {
    for (let tries = 0; tries < 6_000; tries += 1) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null)
      if (answer?.ok) return
      await setTimeout(50)
    }
    throw new Error('playoutd does not become ready')
  }

  stop() {
    this.process.kill('SIGKILL')
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
