import type { Enclosure, InstantMs, Person } from '../../model/index.ts'
import type { MediaFacts } from './media-facts.ts'
import { samePerson } from './person.ts'

/** How good a value is: that of the format itself first, then those of modules, then makeshifts. */
export const OF_THE_FORMAT = 0
export const MODULE = 1
export const MAKESHIFT = 2
const NONE = 9

/** A value that better ones may replace. */
class RankedValue<T> {
  value: T | null = null
  private rank = NONE

  /** The first of equal rank stays. */
  offer(value: T | null, rank: number): void {
    if (value === null || value === '' || rank >= this.rank) return
    this.value = value
    this.rank = rank
  }

  hasBest(): boolean {
    return this.rank === OF_THE_FORMAT
  }

  /** The last of equal rank stays: a date given twice was corrected. */
  replace(value: T | null, rank: number): void {
    if (value === null || rank > this.rank) return
    this.value = value
    this.rank = rank
  }
}

// Most items lack most of these: one empty list serves all of them.
const NOBODY: readonly Person[] = []
const NOTHING: string[] = []
const NO_FILES: readonly Enclosure[] = []
const NO_FACTS = new Map<string, MediaFacts>()
// More categories or enclosures than this are a mistake or an attack.
const MOST_OF_A_KIND = 200

/** An item, or the feed itself, while it is being read: most of what they can say is the same. */
export class Draft {
  id: string | null = null
  /** The guid as an address, where it is one (RSS isPermaLink). */
  idLink: string | null = null
  idIsLink = false
  readonly title = new RankedValue<string>()
  readonly link = new RankedValue<string>()
  readonly published = new RankedValue<InstantMs>()
  readonly updated = new RankedValue<InstantMs>()
  readonly summary = new RankedValue<string>()
  readonly content = new RankedValue<string>()
  readonly image = new RankedValue<string>()
  readonly language = new RankedValue<string>()
  authors: readonly Person[] = NOBODY
  private authorsRank = NONE
  /** Of the feed that an entry was taken from (atom:source). */
  sourceAuthors: readonly Person[] = NOBODY
  categories: string[] = NOTHING
  keywords: string | null = null
  enclosures: readonly Enclosure[] = NO_FILES
  /** Audio and video that only Media RSS names. */
  media: readonly Enclosure[] = NO_FILES
  /** What elements say of files and pictures, by address. */
  mediaFacts: Map<string, MediaFacts> = NO_FACTS
  commentsUrl: string | null = null
  extensions: Record<string, string> | null = null
  extensionCount = 0

  /** Authors of the best rank only: dc:creator beside author names the same person in another way. */
  addAuthor(person: Person | null, rank: number): void {
    if (person === null || rank > this.authorsRank) return
    if (rank < this.authorsRank) this.authors = NOBODY
    this.authorsRank = rank
    if (this.authors.length < MOST_OF_A_KIND && !this.authors.some((known) => samePerson(known, person))) {
      this.authors = [...this.authors, person]
    }
  }

  addSourceAuthor(person: Person | null): void {
    if (person !== null && this.sourceAuthors.length < MOST_OF_A_KIND) {
      this.sourceAuthors = [...this.sourceAuthors, person]
    }
  }

  addCategory(category: string): void {
    const trimmed = category.trim()
    if (trimmed === '' || this.categories.length >= MOST_OF_A_KIND || this.categories.includes(trimmed)) return
    if (this.categories === NOTHING) this.categories = [trimmed]
    else this.categories.push(trimmed)
  }

  addEnclosure(enclosure: Enclosure): void {
    this.enclosures = withFile(this.enclosures, enclosure)
  }

  addMedia(enclosure: Enclosure): void {
    this.media = withFile(this.media, enclosure)
  }

  /** The first that says something of an address is believed. */
  noteMedia(url: string, facts: MediaFacts): void {
    if (Object.keys(facts).length === 0 || this.mediaFacts.size >= MOST_OF_A_KIND || this.mediaFacts.has(url)) return
    if (this.mediaFacts === NO_FACTS) this.mediaFacts = new Map()
    this.mediaFacts.set(url, facts)
  }
}

function withFile(files: readonly Enclosure[], file: Enclosure): readonly Enclosure[] {
  if (file.url === '' || files.length >= MOST_OF_A_KIND || files.some(({ url }) => url === file.url)) return files
  return [...files, file]
}

/** What only the feed has. */
export class FeedDraft extends Draft {
  readonly copyright = new RankedValue<string>()
  readonly icon = new RankedValue<string>()
  generator: string | null = null
  ttlMinutes: number | null = null
  updatePeriodMs: number | null = null
  updateFrequency: number | null = null
  updateBaseAt: number | null = null
  readonly skipHours: number[] = []
  readonly skipDays: number[] = []
  readonly hubs: string[] = []
  cloudUrl: string | null = null
  selfUrl: string | null = null
  nextUrl: string | null = null
  prevArchiveUrl: string | null = null
  complete = false
}
