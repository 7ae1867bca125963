import { DAY_MS, type DurationMs, type InstantMs } from '../../model/index.ts'

/** An item of a document, by what it is known by on every page of its site. */
export interface DocumentItem {
  readonly link: string
  readonly published: InstantMs | null
  /** It says enough to be read. */
  readonly isTitled: boolean
  /** What distinguishes the items of a section from others: folders of the link, categories. */
  readonly marks: () => readonly string[]
}

export interface ShownDocument {
  readonly items: readonly DocumentItem[]
  /** What is not in it may still be there. */
  readonly isPart: boolean
}

interface Shown {
  /** When it was published, or first shown where nobody says. */
  readonly at: InstantMs
  /** None while it is compared with nobody. */
  marks: readonly string[]
  lastAt: InstantMs
}

/** Longer than any source goes without an own look (default-limits.ts): what is older is judged. */
const KEEP_MS = 5 * DAY_MS
const MOST_ITEMS = 1_000
const NO_MARKS: readonly string[] = []

/** What one source has shown of late, by its own documents. */
export class ShownItems {
  readonly items = new Map<string, Shown>()
  /** Of its first look. */
  sinceAt: InstantMs
  isResting = false
  lookedAt: InstantMs
  /** Published before all that its last document has. */
  oldestAt: InstantMs = Number.POSITIVE_INFINITY
  /** Two items of its last document have one link: which of them another page shows cannot be told. */
  hasTwins = false
  /** The items of its last document can be read as they are; those of a list of addresses cannot. */
  isTitled = false
  /** How long an item stays, as those show that have left. */
  stayMs: DurationMs | null = null

  constructor(now: InstantMs) {
    this.sinceAt = now
    this.lookedAt = now
  }

  /** It is compared with nobody any more: what it showed takes room for nothing. */
  rest(): void {
    this.items.clear()
    this.isResting = true
  }

  /** Somebody else has come: it may be compared again, from its next document on. */
  wake(now: InstantMs): void {
    if (!this.isResting) return
    this.isResting = false
    this.sinceAt = now
    this.lookedAt = now
  }

  /** A document. `keepsMarks`: it shows items of others, or they show its. Returns what it has not shown before, with how late that is where it is known. */
  look(
    { items, isPart }: ShownDocument,
    now: InstantMs,
    keepsMarks: boolean,
  ): readonly { readonly link: string; readonly lagMs: DurationMs }[] {
    const isFirst = this.items.size === 0 && this.lookedAt === this.sinceAt
    const fresh: { readonly link: string; readonly lagMs: DurationMs }[] = []
    const links = new Set<string>()
    if (!isPart) this.oldestAt = Number.POSITIVE_INFINITY
    for (const { link, published, marks } of items) {
      links.add(link)
      const known = this.items.get(link)
      const at = known?.at ?? Math.min(published ?? now, now)
      this.oldestAt = Math.min(this.oldestAt, at)
      if (known === undefined) {
        this.items.set(link, { at, marks: keepsMarks ? marks() : NO_MARKS, lastAt: now })
        if (!isFirst && published !== null) fresh.push({ link, lagMs: lagOf(at, this.lookedAt, now) })
      } else {
        known.lastAt = now
        if (keepsMarks && known.marks === NO_MARKS) known.marks = marks()
      }
    }
    if (!isPart) {
      this.hasTwins = links.size < items.length
      this.isTitled = items.every((item) => item.isTitled)
      this.prune(links, now)
    }
    this.lookedAt = now
    return fresh
  }

  /** It has answered that nothing is new. */
  lookUnchanged(now: InstantMs): void {
    this.lookedAt = now
  }

  private prune(present: ReadonlySet<string>, now: InstantMs): void {
    for (const [link, { at, lastAt }] of this.items) {
      if (present.has(link)) continue
      if (lastAt === this.lookedAt && lastAt < now) this.stayMs = blend(this.stayMs, now - at)
      if (this.items.size > MOST_ITEMS || lastAt < now - KEEP_MS) this.items.delete(link)
    }
  }
}

/** Not there at the last look though it was published: it came between then and now. */
function lagOf(at: InstantMs, lookedAt: InstantMs, now: InstantMs): DurationMs {
  return at > lookedAt ? 0 : (lookedAt - at + (now - at)) / 2
}

function blend(before: DurationMs | null, value: DurationMs): DurationMs {
  return before === null ? value : before + 0.1 * (value - before)
}
