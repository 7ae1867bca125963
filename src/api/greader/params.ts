import { ReaderFailure } from '../readers/failure.ts'

/** What a request says, in its address and its body alike: FeedMe logs in by the query string of a POST. */
export class Params {
  readonly #values: URLSearchParams

  /** `body`: a form, or nothing. */
  constructor(url: string, body: string | null = null) {
    const at = url.indexOf('?')
    this.#values = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
    for (const [name, value] of new URLSearchParams(body ?? '')) this.#values.append(name, value)
  }

  get(name: string): string | null {
    return this.#values.get(name)
  }

  all(name: string): readonly string[] {
    return this.#values.getAll(name)
  }

  /** A count; what is none is the usual one, as clients send `n=` and `n=-1`. */
  count(name: string, usual: number, most: number): number {
    const text = this.#values.get(name) ?? ''
    const value = /^\d{1,15}$/.test(text) ? Number(text) : usual
    return Math.max(1, Math.min(most, value))
  }

  /** A moment in seconds, milliseconds or microseconds, by its size. Throws where it is none: it is not to be taken for never. */
  instant(name: string): number | null {
    const text = this.#values.get(name)
    if (text === null || text === '' || text === '0') return null
    if (!/^\d{1,18}(\.\d+)?$/.test(text)) throw new ReaderFailure(400, `${name}: not a time`)
    const value = Number(text)
    if (value >= 1e14) return value / 1_000
    return value >= 1e11 ? value : value * 1_000
  }
}
