import type { FeedHints, ParsedFeed, ParsedItem, Person } from '../../model/index.ts'
import { MINUTE_MS } from '../../model/index.ts'
import type { Draft, FeedDraft } from './draft.ts'
import { cutLabels } from './labels.ts'
import type { ParseLimits } from './limits.ts'
import { imageSizeOf, type MediaFacts, withDuration, withFacts } from './media-facts.ts'
import type { ProblemList } from './problems.ts'
import { splitList } from './split-list.ts'

/** A draft in the words of the model, as soon as it is read: a draft takes five times the memory. */
export function finishItem(draft: Draft, { maxLabelChars }: ParseLimits, problems: ProblemList): ParsedItem {
  addKeywords(draft)
  const own = ownItem(draft)
  const item = draft.authors.length > 0 ? own : inheriting(own, draft.sourceAuthors)
  const short = cutLabels(item, maxLabelChars)
  if (short !== item) problems.add('field-too-long')
  return short
}

/** The authors of a feed are known when all of it is read. */
export function finishItems(items: readonly ParsedItem[], feedAuthors: readonly Person[]): readonly ParsedItem[] {
  if (feedAuthors.length === 0) return items
  return items.map((item) => (item.authors.length > 0 ? item : inheriting(item, feedAuthors)))
}

/** RFC 4287 §4.2.1: of the source of an entry, else of the feed; RSS and JSON Feed mean the same. */
function inheriting(item: ParsedItem, authors: readonly Person[]): ParsedItem {
  return authors.length === 0 ? item : { ...item, authors, inheritsAuthors: true }
}

function ownItem(draft: Draft): ParsedItem {
  const item: ParsedItem = {
    id: draft.id,
    title: draft.title.value,
    link: draft.link.value ?? draft.idLink,
    published: draft.published.value,
    updated: draft.updated.value,
    authors: draft.authors,
    categories: draft.categories,
    summary: draft.summary.value,
    content: draft.content.value,
    enclosures: filesOf(draft),
    language: draft.language.value,
    commentsUrl: draft.commentsUrl,
    image: draft.image.value,
    extensions: draft.extensions,
  }
  const imageSize = imageSizeOf(factsOf(draft, draft.image.value))
  return imageSize === null ? item : { ...item, imageSize }
}

function factsOf({ mediaFacts }: Draft, url: string | null): MediaFacts {
  return (url === null || mediaFacts.size === 0 ? undefined : mediaFacts.get(url)) ?? NOTHING_KNOWN
}

const NOTHING_KNOWN: MediaFacts = {}

function filesOf({ enclosures, media, mediaFacts, extensions }: Draft): ParsedItem['enclosures'] {
  const files = enclosures.length > 0 ? enclosures : media
  if (files.length === 0) return files
  const sized = mediaFacts.size === 0 ? files : files.map((file) => withFacts(file, mediaFacts.get(file.url)))
  return withDuration(sized, extensions?.['itunes:duration'])
}

export function finishFeed(draft: FeedDraft): ParsedFeed {
  addKeywords(draft)
  return {
    id: draft.id,
    title: draft.title.value,
    link: draft.link.value,
    description: draft.summary.value,
    language: draft.language.value,
    updated: draft.updated.value,
    published: draft.published.value,
    authors: draft.authors,
    categories: draft.categories,
    image: draft.image.value,
    icon: draft.icon.value,
    copyright: draft.copyright.value,
    generator: draft.generator,
    hints: finishHints(draft),
    extensions: draft.extensions,
  }
}

function addKeywords(draft: Draft): void {
  if (draft.keywords === null || draft.categories.length > 0) return
  for (const keyword of splitList(draft.keywords)) draft.addCategory(keyword)
}

function finishHints(draft: FeedDraft): FeedHints {
  return {
    ttlMs: draft.ttlMinutes === null ? null : draft.ttlMinutes * MINUTE_MS,
    updateIntervalMs: updateInterval(draft),
    updateBaseAt: draft.updateBaseAt,
    skipHours: draft.skipHours,
    skipDays: draft.skipDays,
    hubs: draft.hubs,
    ...(draft.cloudUrl === null ? {} : { cloudUrl: draft.cloudUrl }),
    selfUrl: draft.selfUrl,
    nextUrl: draft.nextUrl,
    prevArchiveUrl: draft.prevArchiveUrl,
    complete: draft.complete,
  }
}

/** sy: "daily" and "once" are what is left out (RSS 1.0 syndication module). */
function updateInterval(draft: FeedDraft): number | null {
  if (draft.updatePeriodMs === null && draft.updateFrequency === null) return null
  return Math.round((draft.updatePeriodMs ?? 24 * 60 * MINUTE_MS) / (draft.updateFrequency ?? 1))
}
