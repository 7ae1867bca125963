import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { editMoment, type ItemContext, itemId, itemLink, itemTitle, type WorldItem, worldItem } from './items.ts'
import { keyedRandom } from './keyed-random.ts'
import { nextPublicationAt, type Publications, type WorldPublication } from './publication.ts'

/** The publication window of a feed at one moment: its newest W items, and how long this stays true. */
export interface WorldWindow {
  readonly entries: readonly WorldWindowEntry[]
  /** The last publication, edit or reshuffle that made it what it is. */
  readonly changedAt: InstantMs
  /** It changes at this moment, not before. */
  readonly validUntil: InstantMs
}

export interface WorldWindowEntry extends WorldPublication {
  readonly editedAt: InstantMs | null
}

const SHUFFLE_MS = 10 * MINUTE_MS
// A quiet feed need not be searched for its next item years ahead; asking again once a day costs nothing.
const HORIZON_MS = DAY_MS

/** Page 0 is the feed as such; page p holds the W items before page p − 1 (RFC 5005 §3). */
export function worldWindowAt(source: Publications, at: InstantMs, context: ItemContext, page = 0): WorldWindow {
  const { windowItems, habits } = context.plan
  const entries: WorldWindowEntry[] = []
  let changedAt = 0
  let validUntil = Math.min(at + HORIZON_MS, nextPublicationAt(source, at, at + HORIZON_MS))
  let skip = page * windowItems
  for (const publication of source.newestFirst(at)) {
    if (skip > 0) {
      skip--
      continue
    }
    if (entries.length >= windowItems) break
    const editAt = editMoment(publication, context)
    const edited = editAt !== null && editAt <= at
    if (editAt !== null && !edited) validUntil = Math.min(validUntil, editAt)
    changedAt = Math.max(changedAt, publication.at, edited ? editAt : 0)
    entries.push({ ...publication, editedAt: edited ? editAt : null })
  }
  if (habits.order === 'oldest-first') entries.reverse()
  if (habits.order === 'shuffled') {
    const turn = Math.floor(at / SHUFFLE_MS)
    shuffle(entries, context, turn)
    changedAt = Math.max(changedAt, turn * SHUFFLE_MS)
    validUntil = Math.min(validUntil, (turn + 1) * SHUFFLE_MS)
  }
  return { entries, changedAt, validUntil }
}

export function windowItems(window: Pick<WorldWindow, 'entries'>, context: ItemContext): readonly WorldItem[] {
  return window.entries.map((entry) => worldItem(entry, entry.editedAt, context))
}

/** What a test needs to recognise an item, without its text. */
export function itemTruth(publication: WorldPublication, context: ItemContext) {
  const { key, at } = publication
  return {
    key,
    publishedAt: at,
    id: itemId(key, context),
    link: itemLink(key, context),
    title: itemTitle(key, context),
  }
}

function shuffle(entries: WorldWindowEntry[], context: ItemContext, turn: number): void {
  const random = keyedRandom(context.seed, context.feedIndex, turn, 3)
  for (let i = entries.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swapped = entryAt(entries, i)
    entries[i] = entryAt(entries, j)
    entries[j] = swapped
  }
}
