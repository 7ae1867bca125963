interface Entry {
  readonly version: string
  readonly body: Buffer
}

/** Rendered documents, the newest version of each only; the longest unused go when the limit is reached. */
export class BodyCache {
  readonly #entries = new Map<string, Entry>()
  readonly #limitBytes: number
  #bytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get(name: string, version: string, make: () => Buffer): Buffer {
    const known = this.#entries.get(name)
    if (known !== undefined) {
      this.#entries.delete(name)
      if (known.version === version) {
        this.#entries.set(name, known)
        return known.body
      }
      this.#bytes -= known.body.length
    }
    const body = make()
    this.#entries.set(name, { version, body })
    this.#bytes += body.length
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limitBytes || oldest === name) break
      this.#entries.delete(oldest)
      this.#bytes -= entry.body.length
    }
    return body
  }
}
