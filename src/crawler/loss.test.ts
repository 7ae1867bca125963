import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, losesOften, MINUTE_MS, type Observation } from '../model/index.ts'
import { afterLoss, type LossFacts, lossesWith, overlapAfterRepair } from './loss.ts'
import type { PlannedCheck } from './planner.ts'
import type { RepairResult } from './repair/read-older-pages.ts'

const NOON = Date.UTC(2026, 2, 2, 12)
const LOSS = { items: 40, atLeast: 20, atMost: 70, basis: 'dates' as const }

const observation = (overlap: Observation['overlap'], more: Partial<Observation> = {}): Observation => ({
  sourceId: 1,
  previousAt: NOON - DAY_MS,
  at: NOON,
  newItems: 4,
  windowSize: 4,
  overlap,
  lostAtLeast: 0,
  itemTimes: [],
  notModified: false,
  bytes: 0,
  latencyMs: 0,
  ...more,
})

const planned = (more: Partial<PlannedCheck> = {}): PlannedCheck => ({
  at: NOON + DAY_MS,
  reason: 'once a day',
  earliestAt: NOON + 5 * MINUTE_MS,
  hurriesAfterLoss: true,
  expected: 3,
  ...more,
})

/** Four items, the oldest published so long ago. */
const facts = (turnoverMs: number, more: Partial<LossFacts> = {}): LossFacts => ({
  state: {
    window: [1, 2, 3, 4].map((part) => ({
      key: `${part}`,
      contentHash: '',
      alias: null,
      published: NOON - (part * turnoverMs) / 4,
    })),
    datesCredible: true,
  },
  ownInterval: false,
  repaired: null,
  ...more,
})

const repaired = (more: Partial<RepairResult> = {}): RepairResult => ({
  added: [],
  closed: false,
  requests: 2,
  bytes: 100,
  rest: null,
  ...more,
})

const openPage = { url: 'https://feed.test/?page=3', how: 'paged' } as NonNullable<RepairResult['rest']>['page']

describe('what a refresh found', () => {
  it.each<[string, Observation['overlap'], boolean, RepairResult | null, Observation['overlap']]>([
    ['something known', 'some', false, null, 'some'],
    ['nothing known', 'none', false, null, 'none'],
    ['nothing known, in a document that is the whole feed', 'none', true, null, 'some'],
    [
      'nothing known, and older pages that reach something known',
      'none',
      false,
      repaired({ closed: true }),
      'repaired',
    ],
    ['nothing known, and older pages that end before', 'none', false, repaired(), 'none'],
    ['the first document', 'first', false, null, 'first'],
  ])('with %s', (_, shown, isWholeFeed, pages, overlap) => {
    expect(overlapAfterRepair(shown, isWholeFeed, pages)).toBe(overlap)
  })
})

describe('what follows from a loss', () => {
  it.each<Observation['overlap']>(['some', 'first'])('is nothing where the window shows "%s"', (overlap) => {
    expect(afterLoss(observation(overlap), planned(), facts(HOUR_MS))).toBeNull()
  })

  it.each<[string, PlannedCheck, LossFacts, { at: number; isFixed: boolean; says: RegExp }]>([
    [
      'half a window at the pace just seen',
      planned(),
      facts(2 * HOUR_MS),
      {
        at: NOON + HOUR_MS,
        isFixed: true,
        says: /^after 60 min, half its window at the pace just seen: .*about 40 items/,
      },
    ],
    [
      'no sooner than five minutes, however fast it is',
      planned({ earliestAt: NOON }),
      facts(2 * MINUTE_MS),
      { at: NOON + 5 * MINUTE_MS, isFixed: true, says: /as soon as may be/ },
    ],
    [
      'no sooner than the shortest interval',
      planned({ earliestAt: NOON + 3 * HOUR_MS }),
      facts(2 * HOUR_MS),
      { at: NOON + 3 * HOUR_MS, isFixed: true, says: /as soon as may be/ },
    ],
    [
      'no later than planned, but the price does not move it either',
      planned({ at: NOON + 10 * MINUTE_MS }),
      facts(2 * HOUR_MS),
      { at: NOON + 10 * MINUTE_MS, isFixed: true, says: /^once a day; its window had turned over/ },
    ],
    [
      "the user's own interval, with what it costs",
      planned(),
      facts(2 * HOUR_MS, { ownInterval: true }),
      { at: NOON + DAY_MS, isFixed: true, says: /^once a day: too rarely, .*about 40 items lost \(20 to 70\)/ },
    ],
    [
      'the plan of a strategy that knows no windows, which the price goes on to move',
      planned({ hurriesAfterLoss: false }),
      facts(2 * HOUR_MS),
      { at: NOON + DAY_MS, isFixed: false, says: /too rarely/ },
    ],
  ])('is that the next check comes at %s', (_, plan, given, expected) => {
    const outcome = afterLoss(observation('none', { loss: LOSS, lostAtLeast: 20 }), plan, given)
    expect(outcome).toMatchObject({ next: { at: expected.at }, isFixed: expected.isFixed, openGap: null })
    expect(outcome?.next.reason).toMatch(expected.says)
    expect(outcome?.saturation).toEqual({ at: NOON, repaired: false, loss: LOSS, repairedItems: 0 })
  })

  it('is a gap that the next refresh reads on in, where it can be known when that is closed', () => {
    const lost = observation('none', { loss: LOSS })
    const openGapAfter = (since: number) =>
      afterLoss(lost, planned(), facts(HOUR_MS, { repaired: repaired({ rest: { page: openPage, since } }) }))?.openGap
    expect(openGapAfter(NOON - DAY_MS)).toEqual({ page: openPage, since: NOON - DAY_MS, lost: 40 })
    // Neither dates nor an archive say where to stop.
    expect(openGapAfter(0)).toBeNull()
  })

  it('is a shorter interval after a repair as well, and nothing lost', () => {
    const added = [{}, {}] as unknown as RepairResult['added']
    const given = facts(2 * HOUR_MS, { repaired: repaired({ closed: true, added }) })
    const outcome = afterLoss(observation('repaired'), planned(), given)
    expect(outcome).toMatchObject({ next: { at: NOON + HOUR_MS }, isFixed: true, openGap: null })
    expect(outcome?.saturation).toEqual({ at: NOON, repaired: true, loss: null, repairedItems: 2 })
  })
})

describe('what is remembered of losses', () => {
  const lost = (at: number) => observation('none', { at, loss: LOSS })
  const again = (first: number, second: number) =>
    lossesWith(lossesWith(undefined, lost(first)).lastLosses, lost(second)).lastLosses ?? []

  it('the last two, newest first', () => {
    expect(again(NOON, NOON + 1)).toEqual([NOON + 1, NOON])
    expect(lossesWith([NOON + 1, NOON], lost(NOON + 2))).toEqual({ lastLosses: [NOON + 2, NOON + 1] })
  })

  it.each<[string, Observation]>([
    ['a look that found something known', observation('some')],
    ['the first look', observation('first')],
    ['what older pages still had', observation('repaired')],
    ['a full window behind which nothing was', observation('none', { loss: { ...LOSS, items: 0, atMost: 0 } })],
  ])('not %s', (_, seen) => {
    expect(lossesWith([NOON], seen)).toEqual({})
  })

  it.each([
    ['one is chance', [NOON], NOON + HOUR_MS, false],
    ['two in a day are not', again(NOON, NOON + HOUR_MS), NOON + DAY_MS - 1, true],
    ['two on different days may be', again(NOON, NOON + DAY_MS), NOON + DAY_MS, false],
    ['none', [], NOON, false],
  ])('%s', (_, losses, now, often) => {
    expect(losesOften(losses, now)).toBe(often)
  })
})
