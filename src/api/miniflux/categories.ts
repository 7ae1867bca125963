import type { ReaderSource } from '../readers/library.ts'
import type { MinifluxCategory } from './wire.ts'

/** Miniflux has no feed without a category. */
const NO_FOLDER = 'All'
const QUERY_FEEDS = 'Query feeds'

/**
 * Folders have no numbers here, apps want some that stay: a hash of the name in 31 bits. 1 is what is in no folder, 2 are the query
 * feeds. Where two names have one number, the second of them by name takes the next.
 */
function numberCategories(names: Iterable<string>): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const taken = new Set([1, 2])
  for (const name of [...new Set(names)].sort()) {
    let number = hash(name)
    while (taken.has(number)) number = (number + 1) % 2 ** 31
    taken.add(number)
    numbers.set(name, number)
  }
  return numbers
}

/** FNV-1a, 31 bits, never one of the first. */
function hash(name: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(name)) value = Math.imul(value ^ byte, 0x01000193)
  return 1_000 + ((value >>> 1) % (2 ** 31 - 2_000))
}

/** The folders of one user's sources. */
export class Categories {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #userId: number

  constructor(sources: readonly ReaderSource[], userId: number) {
    this.#numbers = numberCategories(sources.flatMap(({ categories }) => categories))
    this.#userId = userId
  }

  get noFolder(): MinifluxCategory {
    return this.#category(1, NO_FOLDER)
  }

  get queryFeeds(): MinifluxCategory {
    return this.#category(2, QUERY_FEEDS)
  }

  all(): readonly MinifluxCategory[] {
    return [this.noFolder, this.queryFeeds, ...[...this.#numbers].map(([name, id]) => this.#category(id, name))]
  }

  /** The first folder of a source: Miniflux knows one. */
  ofSource({ categories: [first] }: Pick<ReaderSource, 'categories'>): MinifluxCategory {
    const id = first === undefined ? undefined : this.#numbers.get(first)
    return first === undefined || id === undefined ? this.noFolder : this.#category(id, first)
  }

  find(id: number): MinifluxCategory | null {
    return this.all().find((one) => one.id === id) ?? null
  }

  #category(id: number, title: string): MinifluxCategory {
    return { id, title, user_id: this.#userId, hide_globally: false }
  }
}
