import { HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { DEMO_DESKS, type NewsDesk } from './demo-desks.ts'
import { CLEAN_HABITS, type FeedPlan } from './feed-plan.ts'
import { startWorld } from './server.ts'
import type { World, WorldOptions } from './world.ts'

/** An hour of the demo world passes in a minute: its day, with morning rush and silent night, takes 24 minutes. */
const DEMO_SPEED = 60
const WINDOW_ITEMS = 20
/** Counted from a fixed moment, so that the world has moved on when the demo is started again on the same data. */
const DEMO_EPOCH_MS: InstantMs = Date.UTC(2026, 0, 1)

/** About sixty lively feeds with believable names, for `headwater serve --demo`. */
export function startDemoWorld(clock: Clock, seed = 7, overrides: Partial<WorldOptions> = {}): Promise<World> {
  return startWorld({
    feeds: demoPlans(),
    seed,
    clock,
    speed: DEMO_SPEED,
    startAt: DEMO_EPOCH_MS,
    realStartAt: DEMO_EPOCH_MS,
    ...overrides,
  })
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
    },
    fault: null,
    headlines: desk.headlines,
  }))
}

const plain = { windowItems: WINDOW_ITEMS, habits: CLEAN_HABITS, fault: null }

/** What goes wrong in a real list of feeds: one floods its window, one comes and goes, one is gone, two have odd dates. */
const TROUBLED_FEEDS: readonly FeedPlan[] = [
  {
    ...plain,
    title: 'Harbour movements (every vessel)',
    category: 'Services/Traffic',
    // 40 items in a real minute through a window of 10: refreshed less often than every 15 s, it loses some.
    publication: { kind: 'constant', intervalMs: HOUR_MS / 40, jitter: 0.5 },
    windowItems: 10,
    headlines: ['{Trawler|Ferry|Barge|Pilot boat} {n} {arrived|departed|anchored}'],
  },
  {
    ...plain,
    title: 'Radio Lantern',
    category: 'Podcasts',
    publication: { kind: 'constant', intervalMs: 3 * HOUR_MS },
    fault: { name: 'flapping', failures: 2, of: 3 },
    headlines: ['Programme {n}: {the late show|sea shanties|shipping forecast}'],
  },
  {
    ...plain,
    title: 'Old Quarry Gazette',
    category: 'News/Local',
    publication: { kind: 'silent' },
    fault: { name: '404' },
    headlines: null,
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
