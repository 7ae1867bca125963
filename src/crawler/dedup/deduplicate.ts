import type { DurationMs, InstantMs, ItemKey, ParsedItem, WindowEntry } from '../../model/index.ts'
import { canonicalLink } from './canonical-link.ts'
import { type Identity, identify } from './identity.ts'
import { findRewritten, type Rewritten } from './rewritten-guids.ts'

export interface DedupResult {
  /** Oldest first, so that numbers given in this order grow with publication. */
  readonly added: readonly { readonly item: ParsedItem; readonly key: ItemKey; readonly contentHash: string }[]
  /** `formerHash`: of the content that is stored. */
  readonly changed: readonly {
    readonly item: ParsedItem
    readonly key: ItemKey
    readonly contentHash: string
    readonly formerHash: string
  }[]
  /** Known items that go by another key now, because the publisher rewrote its guids. */
  readonly renamed: readonly { readonly from: ItemKey; readonly to: ItemKey }[]
  /** To remember for the next refresh. */
  readonly window: readonly WindowEntry[]
  readonly overlap: 'some' | 'none' | 'first'
  /** Known items of the last window whose stated date is another one now. */
  readonly redated: number
  readonly knownAgain: number
  /** To remember for the next refresh; see SourceState. */
  readonly guidChanges: number
}

/** What is known of how a source names its items. */
export interface GuidHistory {
  readonly guidChanges: number
  readonly sinceLastMs: DurationMs
  /** What is not in the document may still be in the feed: nothing follows from its absence. */
  readonly isDelta?: boolean
}

/** Of a document that says nothing about it, as an older page. */
export const NO_GUID_HISTORY: GuidHistory = { guidChanges: 0, sinceLastMs: Number.POSITIVE_INFINITY }

/**
 * Separates new items from known and edited ones in two pure steps around one look-up: `prepare` names the keys that the
 * last window does not settle (in the steady state: only those of really new items), `deduplicate` decides with the answer.
 */
export interface DedupInput {
  readonly items: readonly ParsedItem[]
  readonly identities: readonly Identity[]
  readonly lastWindow: ReadonlyMap<ItemKey, WindowEntry>
  /** Keys to ask the archive about. */
  readonly unsettled: readonly ItemKey[]
}

/** `archiveIsEmpty`: the source was never read before, so there is nothing to ask the archive about. */
export function prepare(
  items: readonly ParsedItem[],
  window: readonly WindowEntry[],
  archiveIsEmpty = false,
): DedupInput {
  const identities = identify(items)
  if (archiveIsEmpty) return { items, identities, lastWindow: new Map(), unsettled: [] }
  const lastWindow = new Map(window.map((entry) => [entry.key, entry]))
  const unsettled: ItemKey[] = []
  for (const identity of identities) {
    if (knownKey(identity, (key) => lastWindow.get(key)?.contentHash) !== null) continue
    unsettled.push(identity.primary, identity.composite())
    const byLink = identity.byLink()
    if (byLink !== null) unsettled.push(byLink)
  }
  return { items, identities, lastWindow, unsettled }
}

export function deduplicate(
  prepared: DedupInput,
  archived: ReadonlyMap<ItemKey, string>,
  history: GuidHistory,
): DedupResult {
  const { items, identities, lastWindow } = prepared
  const nothingKnown = lastWindow.size === 0 && archived.size === 0
  const hashOf = (key: ItemKey) => lastWindow.get(key)?.contentHash ?? archived.get(key)
  const settledKeys = identities.map((identity) => (nothingKnown ? null : knownKey(identity, hashOf)))
  const { formerKeys, guidChanges } = rewritten(prepared, settledKeys, history)
  const linkKeys = nothingKnown ? new Map<number, ItemKey>() : knownByLink(identities, settledKeys, hashOf)
  const added: DedupResult['added'][number][] = []
  const changed: DedupResult['changed'][number][] = []
  const renames: DedupResult['renamed'][number][] = []
  const window = new Map<ItemKey, WindowEntry>()
  let redated = 0
  let knownAgain = 0
  for (const [index, identity] of identities.entries()) {
    const { item, contentHash, alias } = identity
    const settled = settledKeys[index]
    const key = settled ?? (identity.crowded ? identity.composite() : identity.primary)
    // The same item twice in one document counts once.
    if (window.has(key)) continue
    window.set(key, { key, contentHash, alias, published: item.published })
    const formerKey = settled ?? formerKeys.get(index) ?? linkKeys.get(index)
    if (formerKey === undefined) {
      added.push({ item, key, contentHash })
      continue
    }
    knownAgain++
    if (formerKey !== key) renames.push({ from: formerKey, to: key })
    const before = lastWindow.get(formerKey)
    if (before && before.published !== item.published) redated++
    const formerHash = hashOf(formerKey)
    if (formerHash !== contentHash) changed.push({ item, key, contentHash, formerHash: formerHash! })
  }
  return {
    added: oldestFirst(added),
    changed,
    renamed: renames,
    // An empty document (a site being rebuilt) says nothing about what was known.
    window: items.length === 0 ? [...lastWindow.values()] : [...window.values()],
    overlap: lastWindow.size === 0 ? 'first' : items.length > 0 && knownAgain === 0 ? 'none' : 'some',
    redated,
    knownAgain,
    guidChanges,
  }
}

/**
 * Under which key an item is known, if it is. A crowded item may have been alone, and so stored under its primary key,
 * when it was first seen; then the content decides whether it is that one.
 */
function knownKey(identity: Identity, hashOf: (key: ItemKey) => string | undefined): ItemKey | null {
  if (!identity.crowded) {
    if (hashOf(identity.primary) !== undefined) return identity.primary
    const composite = identity.composite()
    return hashOf(composite) !== undefined ? composite : null
  }
  const composite = identity.composite()
  if (hashOf(composite) !== undefined) return composite
  return hashOf(identity.primary) === identity.contentHash ? identity.primary : null
}

/**
 * Items that were stored without a guid and have one now, by their places: what was imported from another reader, which knows
 * links alone, or a feed that has begun to give guids. Only where the link is that of one item of the document.
 */
function knownByLink(
  identities: readonly Identity[],
  settledKeys: readonly (ItemKey | null)[],
  hashOf: (key: ItemKey) => string | undefined,
): ReadonlyMap<number, ItemKey> {
  const found = new Map<number, ItemKey>()
  for (const [index, identity] of identities.entries()) {
    if (settledKeys[index] !== null || identity.crowded) continue
    const key = identity.byLink()
    if (key !== null && hashOf(key) !== undefined) found.set(index, key)
  }
  if (found.size === 0) return found
  const links = identities.map(({ item: { link } }) => link && canonicalLink(link))
  for (const index of found.keys()) {
    if (links.some((link, other) => other !== index && link === links[index])) found.delete(index)
  }
  return found
}

/** Under which key each item was known whose guid is new, by its place in the document. */
function rewritten(
  { items, identities, lastWindow }: DedupInput,
  settledKeys: readonly (ItemKey | null)[],
  history: GuidHistory,
): Rewritten {
  if (lastWindow.size === 0 || items.length === 0 || history.isDelta === true)
    return { formerKeys: new Map(), guidChanges: history.guidChanges }
  const strangers = new Set(settledKeys.flatMap((key, index) => (key === null ? [index] : [])))
  if (strangers.size === 0) return { formerKeys: new Map(), guidChanges: 0 }
  const known = new Set(settledKeys)
  const window = [...lastWindow.values()]
  return findRewritten({
    faces: identities.map(({ item: { published }, alias }) => ({ alias, published })),
    strangers,
    window,
    vanished: new Set(window.flatMap(({ key }) => (known.has(key) ? [] : [key]))),
    ...history,
  })
}

/** Documents list the newest first; dates, where all items have them, know better. */
function oldestFirst<T extends { readonly item: { readonly published: InstantMs | null } }>(added: T[]): readonly T[] {
  added.reverse()
  if (added.every(({ item }) => item.published !== null)) {
    added.sort((a, b) => (a.item.published ?? 0) - (b.item.published ?? 0))
  }
  return added
}
