import type { DayIntake, InstantMs, Item, ItemKey, ParsedItem } from '../../model/index.ts'
import type { ChangedItem, NewItem, RefreshRecord } from '../store.ts'

/** What a store knows of a source before a record is written. */
export interface RecordedBefore {
  readonly lastCheckAt: InstantMs | null
  /** There is an observation of the record's moment. */
  readonly hasObservation: boolean
}

/** Written once more, as after a lost answer: it counts nothing again. Only a failure leaves no observation that shows it. */
export function isRepeated({ observation, state }: RefreshRecord, before: RecordedBefore): boolean {
  return observation === null ? before.lastCheckAt === state.lastCheckAt : before.hasObservation
}

/** To which moment its figures belong. */
export function countedAt({ observation, state }: RefreshRecord): InstantMs {
  return observation?.at ?? state.lastCheckAt ?? 0
}

/** What was not modified shows what it showed. */
export function hasWindow({ observation }: RefreshRecord): boolean {
  return observation?.notModified !== true
}

export function addIntake(before: DayIntake | undefined, more: DayIntake): DayIntake {
  return {
    day: more.day,
    taken: more.taken + (before?.taken ?? 0),
    repaired: more.repaired + (before?.repaired ?? 0),
    refused: more.refused + (before?.refused ?? 0),
  }
}

export interface Renaming {
  readonly from: ItemKey
  readonly to: ItemKey
}

/**
 * Which of the renamings happen, in order. A key that is taken stays with what has it; what is not known has nothing to
 * rename; and each sees what those before it did, so that a chain goes to its end and a key that became free is taken.
 * `isKnown`: archived, or removed and remembered, before the first of them.
 */
export function renamingsToMake(renamings: readonly Renaming[], isKnown: (key: ItemKey) => boolean): Renaming[] {
  const changed = new Map<ItemKey, boolean>()
  const isTaken = (key: ItemKey) => changed.get(key) ?? isKnown(key)
  return renamings.filter(({ from, to }) => {
    if (isTaken(to) || !isTaken(from)) return false
    changed.set(from, false).set(to, true)
    return true
  })
}

/** The first of each key that is neither archived nor removed and remembered. */
export function itemsToAdd(items: readonly NewItem[], isKnown: (key: ItemKey) => boolean): NewItem[] {
  const added = new Set<ItemKey>()
  return items.filter(({ key }) => {
    if (added.has(key) || isKnown(key)) return false
    added.add(key)
    return true
  })
}

/** What is archived of an item, as far as an edit has to know. */
export type BeforeEdit = Pick<Item, 'id' | 'contentHash' | 'changedAt'>

/** An edit older than what is stored is a repetition of the past, not news; one that says the same is none. */
export function isNews(before: BeforeEdit, edit: ChangedItem): boolean {
  return before.contentHash !== edit.contentHash && before.changedAt <= edit.changedAt
}

/** Everything is replaced but what the item is known by: an id, once there is one, stays. */
export function idAfterEdit(before: BeforeEdit, edit: ChangedItem): string | null {
  return before.id ?? edit.id
}

/** What the document says of an item, without whatever else the caller's object holds. */
export function parsedPartOf(item: ParsedItem): ParsedItem {
  const { id, title, link, published, updated, authors, categories, summary, content, enclosures } = item
  const { language, commentsUrl, image, imageSize, extensions } = item
  const texts = { id, title, link, published, updated, authors, categories, summary, content, enclosures }
  return { ...texts, language, commentsUrl, image, ...(imageSize && { imageSize }), extensions }
}
