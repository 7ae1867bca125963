/** What is numbered with gaps; items are not among them. */
type Kind = 'source' | 'cursor' | 'feed' | 'version' | 'publication' | 'subscription' | 'letter'

/** By their name in an answer. */
const FIELDS: Readonly<Record<string, Kind>> = {
  sourceId: 'source',
  cursor: 'cursor',
  feedId: 'feed',
  version: 'version',
  subscriptionId: 'subscription',
  publicationSeq: 'publication',
  lastSeq: 'publication',
}
const LISTS: Readonly<Record<string, Kind>> = { removed: 'source', feedIds: 'feed' }

/** No number of any kind. */
const NOWHERE = 1_000_000_007

/**
 * Stores number alike but for gaps: here each number of a kind becomes its place among those seen so far, so that answers of two
 * stores can be compared, and what is done to them can name the third source of each.
 */
export class Numbering {
  readonly #seen = new Map<Kind, number[]>()

  /** The number at a place, from 1; one that nobody has where none was seen. */
  at(kind: Kind, place: number): number {
    return this.#of(kind)[place - 1] ?? NOWHERE
  }

  placeOf(kind: Kind, number: number): number {
    if (number === 0 || number === NOWHERE) return number
    const seen = this.#of(kind)
    if (!seen.includes(number)) seen.push(number)
    return seen.indexOf(number) + 1
  }

  /** The answer with places instead of numbers. */
  placed(value: unknown, parent = ''): unknown {
    if (Array.isArray(value)) {
      const kind = LISTS[parent]
      return value.map((one) => (kind === undefined ? this.placed(one) : this.placeOf(kind, one)))
    }
    if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, this.placed(one)]))
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
    const fields = Object.entries(value).map(([name, one]) => {
      const kind = kindOf(name, value)
      return [name, kind !== null && typeof one === 'number' ? this.placeOf(kind, one) : this.placed(one, name)]
    })
    // Only that it grows is promised of a revision, and of a cursor of deliveries only what comes after it.
    return Object.fromEntries(fields.filter(([name]) => name !== 'revision' && name !== 'deliveredSeq'))
  }

  #of(kind: Kind): number[] {
    const seen = this.#seen.get(kind) ?? []
    this.#seen.set(kind, seen)
    return seen
  }
}

function kindOf(name: string, parent: object): Kind | null {
  if (name === 'seq') return 'feedId' in parent ? 'publication' : null
  if (name !== 'id') return FIELDS[name] ?? null
  if ('output' in parent) return 'subscription'
  if ('publicationSeq' in parent) return 'letter'
  if ('historyUpTo' in parent) return 'feed'
  return 'url' in parent ? 'source' : null
}
