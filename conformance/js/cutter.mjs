// A TCP proxy that cuts connections in the middle.

import { connect, createServer } from 'node:net'

/** Lets so many bytes of each of the first connections that bring them to the service, then cuts it. */
export class Cutter {
  static async listen(target, cutAfter) {
    const cutter = new Cutter()
    cutter.cuts = 0
    cutter.left = [...cutAfter]
    cutter.server = createServer((client) => cutter.#pass(client, target))
    await new Promise((resolve) => cutter.server.listen(0, '127.0.0.1', resolve))
    cutter.port = cutter.server.address().port
    return cutter
  }

  #pass(client, target) {
    const service = connect(Number(target.port || 80), target.hostname)
    let brought = 0
    const end = () => {
      client.destroy()
      service.destroy()
    }
    client.on('data', (bytes) => {
      brought += bytes.length
      // The requests that only ask bring less than any cut waits for, but for the smallest, which hits one of them.
      if (this.left.length > 0 && brought > this.left[0]) {
        this.left.shift()
        this.cuts += 1
        end()
      } else if (!service.write(bytes)) {
        client.pause()
        service.once('drain', () => client.resume())
      }
    })
    service.on('data', (bytes) => client.write(bytes))
    for (const socket of [client, service]) {
      socket.on('error', end)
      socket.on('close', end)
    }
  }

  close() {
    this.server.close()
  }
}
