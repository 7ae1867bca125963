import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { DEMO_DESKS, type NewsDesk } from './demo-desks.ts'
import { DEMO_STORIES } from './demo-stories.ts'
import type { FaultSpec } from './faults/fault.ts'
import { CLEAN_HABITS, type FeedPlan } from './feed-plan.ts'
import { startWorld } from './server.ts'
import type { World, WorldOptions } from './world.ts'

const WINDOW_ITEMS = 20
/** How long something has been wrong with the feeds that had better days. */
const TROUBLE_MS: Readonly<Record<string, DurationMs>> = {
  'Old Quarry Gazette': 6 * DAY_MS,
  'Radio Lantern': 2 * DAY_MS,
  'Tide Tables Online': 1 * DAY_MS,
}

/** About sixty feeds with believable names, in real time, for `headwater serve --demo`. */
export function startDemoWorld(clock: Clock, seed = 7, overrides: Partial<WorldOptions> = {}): Promise<World> {
  return startWorld({ feeds: demoPlans(), seed, clock, ...overrides })
}

/** What is wrong with a feed of the demo at a moment of its history, which ends at `now`. */
export function demoFaultAt({ title, fault }: FeedPlan, at: InstantMs, now: InstantMs): FaultSpec | null {
  return at < now - (TROUBLE_MS[title] ?? Number.POSITIVE_INFINITY) ? null : fault
}

export function demoPlans(): FeedPlan[] {
  return [...DEMO_DESKS.flatMap(plansOfDesk), ...TROUBLED_FEEDS]
}

function plansOfDesk(desk: NewsDesk): FeedPlan[] {
  return desk.names.map((title, index) => ({
    title,
    category: desk.category,
    publication: desk.publication,
    windowItems: WINDOW_ITEMS,
    habits: {
      ...CLEAN_HABITS,
      format: desk.format,
      markup: index % 2 === 0 ? 'cdata' : 'escaped',
      editShare: index % 3 === 0 ? 0.1 : 0,
      enclosureShare: desk.enclosures === true ? 1 : 0,
      pictureShare: desk.pictureShare ?? 0,
    },
    fault: null,
    headlines: desk.headlines,
    stories: DEMO_STORIES[desk.stories],
    ...(desk.longestStory === undefined ? {} : { longestStory: desk.longestStory }),
  }))
}

const plain = { windowItems: WINDOW_ITEMS, habits: CLEAN_HABITS, fault: null }

/** What goes wrong in a real list of feeds: one floods its window, one complains, one fails, one is gone, three have odd habits. */
const TROUBLED_FEEDS: readonly FeedPlan[] = [
  {
    ...plain,
    title: 'Harbour movements (every vessel)',
    category: 'Services/Traffic',
    // Its window turns over four times an hour: whoever comes less often loses some.
    publication: { kind: 'constant', intervalMs: HOUR_MS / 12, jitter: 0.5 },
    windowItems: 3,
    stories: DEMO_STORIES.vessels,
    longestStory: 1,
    headlines: ['{Trawler|Ferry|Barge|Pilot boat} {n} {arrived|departed|anchored} at {pier|quay|buoy} {n}'],
  },
  {
    ...plain,
    title: 'Tide Tables Online',
    category: 'Services/Weather',
    publication: { kind: 'constant', intervalMs: 2 * HOUR_MS },
    fault: { name: '429-seconds', retryAfterS: 5_400 },
    stories: DEMO_STORIES.tides,
    headlines: [
      'High water at {Norrick|Carrow|Hale Sound}: {n} cm above mean',
      'Low water at {Ostermouth|Tarn Isle}: {n} cm',
    ],
  },
  {
    ...plain,
    title: 'Radio Lantern',
    category: 'Podcasts',
    publication: { kind: 'constant', intervalMs: 12 * HOUR_MS },
    habits: { ...CLEAN_HABITS, enclosureShare: 1, pictureShare: 1 },
    fault: { name: '500' },
    stories: DEMO_STORIES.podcasts,
    longestStory: 4,
    headlines: ['Programme {n}: {the late show|sea shanties|shipping forecast}'],
  },
  {
    ...plain,
    title: 'Old Quarry Gazette',
    category: 'News/Local',
    publication: { kind: 'waves', ratePerDay: 4, peakHour: 9 },
    fault: { name: '410' },
    stories: DEMO_STORIES.local,
    longestStory: 6,
    headlines: [
      'Quarry {road|pond|choir} {closes|opens} after {n} years',
      'Farewell: this is number {n}, and the last but one',
    ],
  },
  {
    ...plain,
    title: 'Le Phare du Matin',
    category: 'News/World',
    publication: { kind: 'waves', ratePerDay: 8, peakHour: 8 },
    habits: { ...CLEAN_HABITS, language: 'fr', dates: 'now', validators: 'none' },
    headlines: null,
  },
  {
    ...plain,
    title: 'Küstenblatt',
    category: 'News/World',
    publication: { kind: 'waves', ratePerDay: 8, peakHour: 10 },
    habits: { ...CLEAN_HABITS, language: 'de', dates: 'midnight', order: 'shuffled' },
    headlines: null,
  },
  {
    ...plain,
    title: '港だより',
    category: 'News/World',
    publication: { kind: 'waves', ratePerDay: 6, peakHour: 3 },
    habits: { ...CLEAN_HABITS, language: 'ja', ids: 'link', format: 'rss-1.0' },
    headlines: null,
  },
]
