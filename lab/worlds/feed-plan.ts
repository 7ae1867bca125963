import { DAY_MS, HOUR_MS, type Random } from '../../src/model/index.ts'
import type { FaultSpec } from './faults/fault.ts'
import { keyedRandom, pick, pickByShare } from './keyed-random.ts'
import type { PublicationSpec } from './publication.ts'
import { headline, topicWord } from './text.ts'
import { type Language, VOCABULARIES } from './vocabulary.ts'

export type WorldFormat = 'rss-2.0' | 'rss-1.0' | 'rss-0.91' | 'atom-1.0' | 'json-1.1'

/** How a feed presents what it publishes, with the bad habits of real ones. */
export interface FeedHabits {
  readonly format: WorldFormat
  readonly language: Language
  /** `now`: the date of every item is that of the answer. `future`: stated hours too late. `midnight`: day only. */
  readonly dates: 'credible' | 'none' | 'now' | 'future' | 'midnight'
  /** `link`: no id, a link of its own. `none`: no id, and every item links to the site. */
  readonly ids: 'id' | 'link' | 'none'
  /** `shuffled`: another order every ten virtual minutes. */
  readonly order: 'newest-first' | 'oldest-first' | 'shuffled'
  readonly validators: 'both' | 'etag' | 'last-modified' | 'none'
  readonly markup: 'cdata' | 'escaped'
  /** Share of items that are edited once, some time after publication. */
  readonly editShare: number
  readonly enclosureShare: number
  /** Share of items with a picture. */
  readonly pictureShare: number
}

export interface FeedPlan {
  readonly title: string
  /** Folder path as `News/Science`; null: in no folder. */
  readonly category: string | null
  readonly publication: PublicationSpec
  readonly windowItems: number
  readonly habits: FeedHabits
  readonly fault: FaultSpec | null
  /** Titles to choose from instead of generated ones; `{a|b}` in them is a choice, `{n}` a number. */
  readonly headlines: readonly string[] | null
  /** Sentences of which its items are made, written likewise; absent: generated ones. */
  readonly stories?: readonly string[]
  /** Most sentences of an item. */
  readonly longestStory?: number
}

export const CLEAN_HABITS: FeedHabits = {
  format: 'rss-2.0',
  language: 'en',
  dates: 'credible',
  ids: 'id',
  order: 'newest-first',
  validators: 'both',
  markup: 'cdata',
  editShare: 0,
  enclosureShare: 0,
  pictureShare: 0,
}

const GIVEN_UP_MS = Date.UTC(2022, 5, 1)

export interface FeedPlanOptions {
  readonly seed: number
  readonly windowItems: number
  readonly itemsPerDay: number
  /** 0: every feed has clean habits (formats and languages still vary); 1: every habit is drawn from real shares. */
  readonly oddShare: number
}

/** The plan of one feed, from seed and index alone. */
export function planFeed(index: number, options: FeedPlanOptions): FeedPlan {
  const random = keyedRandom(options.seed, index, 0x9e1a)
  const language = pick(Object.keys(VOCABULARIES) as Language[], random)
  const habits = planHabits(language, options.oddShare, random)
  return {
    title: `${headline(language, random)} ${index}`,
    category: planCategory(language, random),
    publication: planPublication(options.itemsPerDay, random),
    windowItems: options.windowItems,
    habits,
    fault: null,
    headlines: null,
  }
}

function planCategory(language: Language, random: Random): string | null {
  if (random() < 0.1) return null
  const region = { en: 'World', de: 'Europe', fr: 'Europe', es: 'Europe', ru: 'East', el: 'Europe', ja: 'East' }[
    language
  ]
  return random() < 0.3 ? region : `${region}/${topicWord(language, random)}`
}

function planHabits(language: Language, oddShare: number, random: Random): FeedHabits {
  const odd = random() < oddShare
  const format = pickByShare({ 'rss-2.0': 55, 'atom-1.0': 25, 'rss-1.0': 8, 'json-1.1': 8, 'rss-0.91': 4 }, random)
  const markup = pickByShare({ cdata: 1, escaped: 1 }, random)
  const editShare = random() < 0.3 ? 0.1 : 0
  const enclosureShare = random() < 0.15 ? 0.8 : 0
  if (!odd) return { ...CLEAN_HABITS, format, language, markup, enclosureShare, editShare }
  return {
    format,
    language,
    markup,
    editShare,
    enclosureShare,
    pictureShare: 0,
    // About a fifth of real items carry no date (thesis 6.1).
    dates: pickByShare({ credible: 60, none: 20, now: 8, future: 6, midnight: 6 }, random),
    // RSS 0.91 and 1.0 have no id of their own beside the link.
    ids: pickByShare({ id: 75, link: 20, none: 5 }, random),
    order: pickByShare({ 'newest-first': 85, 'oldest-first': 5, shuffled: 10 }, random),
    validators: pickByShare({ both: 50, etag: 15, 'last-modified': 15, none: 20 }, random),
  }
}

/** Rates differ between feeds by two orders of magnitude around the mean, as in thesis 6.2 and SCC07 §4.1. */
function planPublication(itemsPerDay: number, random: Random): PublicationSpec {
  const ratePerDay = itemsPerDay * logNormal(1, random)
  const peakHour = Math.floor(random() * 24)
  switch (pickByShare({ poisson: 25, waves: 40, peaks: 12, bursts: 13, constant: 8, silent: 2 }, random)) {
    case 'poisson':
      return { kind: 'poisson', ratePerDay }
    case 'waves':
      return { kind: 'waves', ratePerDay, peakHour, depth: 0.6 + 0.4 * random(), weekendShare: 0.2 + 0.8 * random() }
    case 'peaks': {
      const hours = random() < 0.5 ? [peakHour] : [peakHour, (peakHour + 12) % 24]
      return { kind: 'peaks', ratePerDay, hours }
    }
    case 'bursts': {
      const itemsPerBurst = 4 + Math.floor(random() * 12)
      const burstsPerDay = (ratePerDay * 0.4) / itemsPerBurst
      const cyclic: PublicationSpec = { kind: 'waves', ratePerDay: ratePerDay * 0.6, peakHour }
      return { kind: 'mixture', parts: [cyclic, { kind: 'bursts', burstsPerDay, itemsPerBurst, burstMs: HOUR_MS }] }
    }
    case 'constant':
      return { kind: 'constant', intervalMs: DAY_MS / ratePerDay, jitter: random() < 0.5 ? 0 : 0.2 }
    case 'silent': {
      // A blog that was given up: the window still shows its last items.
      const lively: PublicationSpec = { kind: 'poisson', ratePerDay }
      return {
        kind: 'sequence',
        phases: [
          { spec: lively, untilMs: GIVEN_UP_MS },
          { spec: { kind: 'silent' }, untilMs: Number.POSITIVE_INFINITY },
        ],
      }
    }
  }
}

/** Mean 1; the spread is the standard deviation of the logarithm. */
function logNormal(spread: number, random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.exp(spread * normal - (spread * spread) / 2)
}
