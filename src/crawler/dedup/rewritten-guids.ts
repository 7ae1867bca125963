import { type DurationMs, HOUR_MS, type InstantMs, type ItemKey, type WindowEntry } from '../../model/index.ts'
import { faceOf } from './face.ts'

/** An item as it looks, whatever its guid. */
export interface Looks {
  readonly alias: string | null
  readonly published: InstantMs | null
}

export interface Rewritten {
  /** By place in the document: the key under which each was known. */
  readonly formerKeys: ReadonlyMap<number, ItemKey>
  /** To be remembered with the source. */
  readonly guidChanges: number
}

export interface GuidFacts {
  /** The document. */
  readonly faces: readonly Looks[]
  /** Places in it of those with an unknown guid. */
  readonly strangers: ReadonlySet<number>
  readonly window: readonly WindowEntry[]
  /** Of the last window, those whose guid is not shown any more. */
  readonly vanished: ReadonlySet<ItemKey>
  /** As remembered with the source. */
  readonly guidChanges: number
  readonly sinceLastMs: DurationMs
}

/** One new item under a known link and title ("Weather for today") is common, and so are two. */
const FEWEST = 3
/** A moved site rewrites its guids once; this often in a row means that they are new for every reader. */
const ENOUGH_CHANGES = 3
/** Pages whose items are really replaced, all of them, again and again, are not replaced as quickly as this. */
const SOON_MS = HOUR_MS

/**
 * Which items are known although their guids are new. Publishers rewrite guids when a site moves (http → https, a new CMS),
 * and some make new ones at every request. A single coincidence proves nothing: items may share a link, and say the same
 * twice. What counts is set down in docs/decisions/0005-identity.md.
 */
export function findRewritten(facts: GuidFacts): Rewritten {
  const { strangers, vanished, window, guidChanges } = facts
  const noneIsKnown = vanished.size === window.length
  const mayBeMost = isMost(Math.min(strangers.size, vanished.size), window.length)
  if (strangers.size === 0 || (!noneIsKnown && !mayBeMost)) return nothing(noneIsKnown ? guidChanges : 0)
  const same = pairUp(facts, [linkAndTitle, titleAndText, linkAndDate])
  if (!noneIsKnown) return isMost(same.size, window.length) ? { formerKeys: same, guidChanges: 0 } : nothing(0)
  const hasLinks = isMost(pairUp(facts, [link]).size, window.length)
  const changes = countChanges(facts, hasLinks)
  const isRewritten = isMost(same.size, window.length) || changes === ENOUGH_CHANGES
  if (!isRewritten) return nothing(changes)
  const formerKeys =
    hasLinks && changes === ENOUGH_CHANGES ? pairUp(facts, [linkAndTitle, titleAndText, linkAndDate, link]) : same
  return { formerKeys, guidChanges: changes }
}

function isMost(pairs: number, windowSize: number): boolean {
  return pairs >= FEWEST && pairs * 2 > windowSize
}

function countChanges(facts: GuidFacts, hasLinks: boolean): number {
  const { faces, window, guidChanges, sinceLastMs } = facts
  const isTheSame = faces.length === window.length && pairUp(facts, [everything]).size === window.length
  const isOneMore = isTheSame || (hasLinks && sinceLastMs <= SOON_MS)
  return isOneMore ? Math.min(ENOUGH_CHANGES, guidChanges + 1) : guidChanges
}

type Pairs = ReadonlyMap<number, ItemKey>
type Look = (one: Looks) => string | null

const nothing = (guidChanges: number): Rewritten => ({ formerKeys: new Map(), guidChanges })

const link: Look = ({ alias }) => faceOf(alias, 'link')
const linkAndTitle: Look = ({ alias }) => both(faceOf(alias, 'link'), faceOf(alias, 'title'))
/** A title by itself is often that of another item as well. */
const titleAndText: Look = ({ alias }) => both(faceOf(alias, 'title') ?? '', faceOf(alias, 'text'))
const linkAndDate: Look = ({ alias, published }) => both(faceOf(alias, 'link'), published)
const everything: Look = ({ alias, published }) => both(alias, published)

function both(a: string | null, b: string | number | null): string | null {
  return a === null || b === null ? null : `${a} ${b}`
}

/** Each stranger with the one that looks like it, where each of them is alone with its looks. */
function pairUp({ faces, strangers, window, vanished }: GuidFacts, looks: readonly Look[]): Pairs {
  const pairs = new Map<number, ItemKey>()
  const paired = new Set<ItemKey>()
  for (const look of looks) {
    const known = onlyOnes(window, look)
    for (const [face, index] of onlyOnes(faces, look)) {
      const at = known.get(face)
      const key = at === undefined ? undefined : window[at]?.key
      if (key === undefined || !vanished.has(key) || paired.has(key)) continue
      if (!strangers.has(index) || pairs.has(index)) continue
      pairs.set(index, key)
      paired.add(key)
    }
  }
  return pairs
}

/** Places by look, of those that nobody else looks like. */
function onlyOnes(all: readonly Looks[], look: Look): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>()
  const shared = new Set<string>()
  for (const [index, one] of all.entries()) {
    const face = look(one)
    if (face === null) continue
    if (indexes.has(face)) shared.add(face)
    else indexes.set(face, index)
  }
  for (const face of shared) indexes.delete(face)
  return indexes
}
