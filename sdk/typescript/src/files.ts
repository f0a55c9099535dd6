/** Files to be uploaded: Blobs, and in Node.js what a path names. */

/** A file that is read in parts. */
export interface Source {
  size: number
  name: string
  /** The bytes from `start` to before `end`. */
  part: (start: number, end: number) => Promise<Blob | Uint8Array<ArrayBuffer>>
  close: () => Promise<void>
}

export async function opened(file: string | URL | Blob): Promise<Source> {
  if (file instanceof Blob) {
    const name = 'name' in file && typeof file.name === 'string' ? file.name : 'file'
    return { size: file.size, name, part: async (start, end) => file.slice(start, end), close: async () => {} }
  }
  // Bundlers leave these alone: pages have no paths.
  const [{ open }, { basename }, { fileURLToPath }] = await Promise.all([
    import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises'),
    import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:path'),
    import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:url'),
  ])
  const path = file instanceof URL ? fileURLToPath(file) : file
  const handle = await open(path)
  const { size } = await handle.stat()
  const part = async (start: number, end: number) => {
    const bytes = new Uint8Array(end - start)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new TypeError(`${path} became shorter while it was read`)
      filled += bytesRead
    }
    return bytes
  }
  return { size, name: basename(path), part, close: () => handle.close() }
}
