import type { FetchOutcome } from '../../../crawler/fetch/fetcher.ts'
import type { InstantMs } from '../../../model/index.ts'
import { sha256Of } from './peer-signature.ts'

export type FetchedContent = Extract<FetchOutcome, { readonly kind: 'content' }>

/** A document of a common source as its origin sent it. */
interface HeldDocument {
  readonly content: FetchedContent
  readonly digest: string
  /** When the origin was last asked and had it. */
  readonly checkedAt: InstantMs
}

/** Larger ones are not passed on: everybody polls those alone. */
export const MOST_DOCUMENT_BYTES = 2 * 1024 ** 2
const MOST_BYTES = 64 * 1024 ** 2

/** The last documents of common sources, in memory: who starts again fetches them again. */
export class HeldDocuments {
  readonly #byUrl = new Map<string, HeldDocument>()
  readonly #rests = new Map<string, InstantMs>()
  #bytes = 0

  get(url: string): HeldDocument | undefined {
    return this.#byUrl.get(url)
  }

  /** Returns whether it says something else than before. */
  put(url: string, content: FetchedContent, checkedAt: InstantMs): boolean {
    const before = this.#byUrl.get(url)
    const digest = sha256Of(content.body)
    this.remove(url)
    this.#rests.delete(url)
    if (content.body.length <= MOST_DOCUMENT_BYTES) {
      this.#byUrl.set(url, { content, digest, checkedAt })
      this.#bytes += content.body.length
      this.#makeRoom()
    }
    return before?.digest !== digest
  }

  /** The origin still has it. */
  touch(url: string, checkedAt: InstantMs): void {
    const document = this.#byUrl.get(url)
    if (document !== undefined) this.#byUrl.set(url, { ...document, checkedAt })
  }

  /** The origin asks to be left alone (429, 503): nobody of the group comes before. */
  rest(url: string, until: InstantMs): void {
    this.#rests.set(url, until)
  }

  restUntil(url: string): InstantMs {
    return this.#rests.get(url) ?? Number.NEGATIVE_INFINITY
  }

  remove(url: string): void {
    this.#bytes -= this.#byUrl.get(url)?.content.body.length ?? 0
    this.#byUrl.delete(url)
  }

  /** The oldest go first. */
  #makeRoom(): void {
    for (const url of this.#byUrl.keys()) {
      if (this.#bytes <= MOST_BYTES) return
      this.remove(url)
    }
  }
}
