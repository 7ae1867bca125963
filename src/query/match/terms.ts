import { growColumn } from '../../model/columns.ts'
import { entryAt } from '../../model/entry-at.ts'
import { FEED_ATOM } from '../item/atoms.ts'
import { stemsOf } from '../item/stem.ts'
import { MASK_BITS } from '../item/texts.ts'
import { STEMMED } from '../plan/expression.ts'

const FIRST_TERMS = 1_024
const MASK = (1 << MASK_BITS) - 1
const MOST_GENERATIONS = 2 ** (31 - MASK_BITS) - 1
const HALVE_AFTER_ITEMS = 50_000
/** What is believed of a new term counts like this many items. */
const PRIOR_ITEMS = 20

/**
 * The words and names that queries ask for, numbered from 1, with what is known of each: how many queries use it, in how
 * many items it was seen, and in which fields of the present item it is.
 */
export class TermTable {
  /** Generation (high bits) and field mask (low) of the item that a term was last seen in. */
  marks = new Int32Array(FIRST_TERMS)
  private users = new Int32Array(FIRST_TERMS)
  private seenIn = new Int32Array(FIRST_TERMS)
  private knownSince = new Int32Array(FIRST_TERMS)
  private priors = new Float32Array(FIRST_TERMS)
  private readonly ids = new Map<string, number>()
  private readonly names: (string | undefined)[] = [undefined]
  private readonly freed: number[] = []
  /** By language: stem → terms that are compared by it. Filled when an item of that language comes. */
  private readonly stems = new Map<string, Map<string, number[]>>()
  private readonly stemmedTerms = new Set<number>()
  private readonly kinds = new Map<string, number>()
  private generation = 0
  private items = 0
  /** Terms of the present item, each once. */
  readonly present: number[] = []

  get size(): number {
    return this.ids.size
  }

  /** Numbers in use are below this. */
  get end(): number {
    return this.names.length
  }

  get hasStemmed(): boolean {
    return this.stemmedTerms.size > 0
  }

  /** Whether some query asks for names that begin so: `LANGUAGE`, `TITLE` … */
  asksFor(kind: string): boolean {
    return (this.kinds.get(kind) ?? 0) > 0
  }

  use(name: string): number {
    const known = this.ids.get(name)
    if (known !== undefined) {
      this.users[known] = (this.users[known] ?? 0) + 1
      return known
    }
    const id = this.freed.pop() ?? this.names.length
    this.reserve(id)
    this.ids.set(name, id)
    this.names[id] = name
    this.users[id] = 1
    this.marks[id] = 0
    this.seenIn[id] = 0
    this.knownSince[id] = this.items
    this.priors[id] = isWord(name) ? 0.2 * 0.8 ** name.length : 0.02
    this.countKind(name, 1)
    if (name.startsWith(STEMMED)) this.addStemmed(id, name)
    return id
  }

  release(id: number): void {
    const users = (this.users[id] ?? 0) - 1
    this.users[id] = users
    if (users > 0) return
    const name = entryAt(this.names, id)
    this.ids.delete(name)
    this.names[id] = undefined
    this.freed.push(id)
    this.countKind(name, -1)
    if (name.startsWith(STEMMED)) this.removeStemmed(id, name)
  }

  id(name: string): number | undefined {
    return this.ids.get(name)
  }

  /** Of a term in use. */
  name(id: number): string {
    return entryAt(this.names, id)
  }

  /** Forgets what was present. */
  nextItem(): void {
    if (this.generation >= MOST_GENERATIONS) {
      this.marks.fill(0)
      this.generation = 0
    }
    this.generation += 1
    this.items += 1
    this.present.length = 0
    if (this.items >= HALVE_AFTER_ITEMS) this.halve()
  }

  /** Marks of the present item are not below this, all others are. */
  get currentMark(): number {
    return this.generation << MASK_BITS
  }

  get itemsSeen(): number {
    return this.items
  }

  /** The term is in these fields of the present item. */
  mark(id: number, mask: number): void {
    const before = this.marks[id] ?? 0
    if (before >> MASK_BITS === this.generation) this.marks[id] = before | mask
    else {
      this.marks[id] = (this.generation << MASK_BITS) | mask
      this.seenIn[id] = (this.seenIn[id] ?? 0) + 1
      this.present.push(id)
    }
  }

  markStem(stem: string, mask: number, language: string): void {
    for (const id of this.stemsIn(language).get(stem) ?? []) this.mark(id, mask)
  }

  /** In which fields of the present item the term is; 0: in none. */
  fields(id: number): number {
    const mark = this.marks[id] ?? 0
    return mark >> MASK_BITS === this.generation ? mark & MASK : 0
  }

  /**
   * How likely an item has the term, from the items seen since it is known; before, names are rarer than words, and long
   * words rarer than short ones.
   */
  likelihood(id: number): number {
    return (
      ((this.seenIn[id] ?? 0) + PRIOR_ITEMS * (this.priors[id] ?? 0)) /
      (this.items - (this.knownSince[id] ?? 0) + PRIOR_ITEMS)
    )
  }

  /** Whether it stands for being in a feed of some name, which is settled only while the queries are evaluated. */
  isFeedName(id: number): boolean {
    return entryAt(this.names, id).startsWith(FEED_ATOM)
  }

  /** So that what is new in the news counts more than what was last year. */
  private halve(): void {
    const items = this.items
    this.items = items >> 1
    for (let id = 1; id < this.names.length; id++) {
      this.seenIn[id] = (this.seenIn[id] ?? 0) >> 1
      this.knownSince[id] = this.items - ((items - (this.knownSince[id] ?? 0)) >> 1)
    }
  }

  private countKind(name: string, by: number): void {
    const end = name.search(/[=@/]/)
    if (end > 0) this.kinds.set(name.slice(0, end), (this.kinds.get(name.slice(0, end)) ?? 0) + by)
  }

  private addStemmed(id: number, name: string): void {
    this.stemmedTerms.add(id)
    for (const [language, stems] of this.stems) addStem(stems, stemOf(name, language), id)
  }

  private removeStemmed(id: number, name: string): void {
    this.stemmedTerms.delete(id)
    for (const [language, stems] of this.stems) {
      const stem = stemOf(name, language)
      const rest = stems.get(stem)?.filter((other) => other !== id) ?? []
      if (rest.length === 0) stems.delete(stem)
      else stems.set(stem, rest)
    }
  }

  private stemsIn(language: string): Map<string, number[]> {
    let stems = this.stems.get(language)
    if (stems === undefined) {
      stems = new Map()
      this.stems.set(language, stems)
      for (const id of this.stemmedTerms) addStem(stems, stemOf(entryAt(this.names, id), language), id)
    }
    return stems
  }

  private reserve(id: number): void {
    if (id < this.marks.length) return
    const length = 2 * this.marks.length
    this.marks = growColumn(this.marks, length)
    this.users = growColumn(this.users, length)
    this.seenIn = growColumn(this.seenIn, length)
    this.knownSince = growColumn(this.knownSince, length)
    this.priors = growColumn(this.priors, length)
  }
}

function isWord(name: string): boolean {
  return !/[=@/]/.test(name)
}

function stemOf(name: string, language: string): string {
  return entryAt(stemsOf(name.slice(STEMMED.length), language), 0)
}

function addStem(stems: Map<string, number[]>, stem: string, id: number): void {
  const same = stems.get(stem)
  if (same === undefined) stems.set(stem, [id])
  else same.push(id)
}
