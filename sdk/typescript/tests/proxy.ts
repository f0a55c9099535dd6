/** A proxy in front of the service that loses responses, cuts requests and rejects them, as its faults say. */

import { createServer, request as send } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the next request with this method whose path ends so. */
export interface Fault {
  method: string
  path: string
  /** The response that the proxy sends itself. */
  reject?: { status: number; headers: Record<string, string>; body: object }
  /** How many bytes of the body reach the service before both connections are closed; without it, and not rejected, the service
   * does the work, and its response is lost. */
  cutAfter?: number
}

export interface Seen {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
}

export class Proxy {
  readonly faults: Fault[]
  readonly seen: Seen[] = []
  url = ''
  readonly #target: URL

  private constructor(target: string, faults: Fault[]) {
    this.#target = new URL(target)
    this.faults = faults
  }

  static async start(target: string, faults: Fault[] = []): Promise<Proxy> {
    const proxy = new Proxy(target, faults)
    const server = createServer((request, response) => void proxy.#forward(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return proxy
  }

  /** The requests with this method whose path ends so. */
  requests(method: string, path: string): Seen[] {
    return this.seen.filter((seen) => seen.method === method && seen.path.endsWith(path))
  }

  #faultOf(method: string, path: string): Fault | undefined {
    const index = this.faults.findIndex((fault) => fault.method === method && path.endsWith(fault.path))
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [method, path] = [request.method ?? '', new URL(request.url ?? '', this.#target).pathname]
    this.seen.push({ method, path, headers: request.headers })
    const fault = this.#faultOf(method, path)
    if (fault?.reject) {
      await request.resume().toArray()
      response.writeHead(fault.reject.status, { 'content-type': 'application/json', ...fault.reject.headers })
      response.end(JSON.stringify(fault.reject.body))
      return
    }
    const { hostname, port, host } = this.#target
    const service = send({ hostname, port, method, path: request.url, headers: { ...request.headers, host }, agent: false })
    if (fault?.cutAfter !== undefined) return cut(request, service, fault.cutAfter)
    service.on('response', (answer) => {
      if (fault) {
        answer.resume().on('end', () => request.socket.destroy())
      } else {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    })
    service.on('error', () => request.socket.destroy())
    request.pipe(service)
  }
}

/** Passes on so many bytes, and closes both connections once the service has them. */
async function cut(request: IncomingMessage, service: ReturnType<typeof send>, bytes: number): Promise<void> {
  const { socket } = request
  service.on('error', () => {})
  service.flushHeaders()
  let left = bytes
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, left)
    left -= part.length
    await new Promise((resolve) => service.write(part, resolve))
    if (left === 0) break
  }
  // A half-closed connection: the service receives all that was sent before it sees the end, and then closes its half.
  service.socket?.end()
  await new Promise((resolve) => service.once('close', resolve))
  socket.destroy()
}
