import type { FindPayers } from '../../crawler/payments.ts'
import { DAY_MS, type InstantMs, type QualityWish, type SourceId } from '../../model/index.ts'
import { allot, type BudgetClaim } from '../../refresh/budget-claims.ts'
import {
  type Forecast,
  forecastSteps,
  leastBudgetSteps,
  type QualityBounds,
  spreadBudget,
} from '../../refresh/least-budget.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { AnyPricedStrategy, Budget, CycleSource, SourceFacts } from '../../refresh/strategy.ts'
import type { Clock } from '../../runtime/clock.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import type { Logger } from '../../runtime/logger.ts'
import { allSources } from '../../store/all-sources.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import { runInSteps } from './least-budget.ts'
import { type SharesOfFeed, type Wisher, wishersOf } from './wishers.ts'

/** As with the node's own wish: a forecast walks a week of every source it looks at. */
const SAMPLE = 400
/**
 * So much more than a forecast says is set aside. It is off by some percent; and of a payer's sources about one is due and waits
 * (price.ts), which the forecast does not know: with three sources the delay was 29 % longer than wished for without this.
 */
const headroom = (sources: number) => 1.03 + 1 / sources

export interface WishDeps {
  readonly scheduler: Pick<LiveScheduler, 'beliefsOf' | 'setParts'>
  readonly strategy: AnyPricedStrategy
  readonly store: Pick<Store, 'users' | 'queryFeeds' | 'queryFeedOwners' | 'sources' | 'state' | 'saveState'>
  readonly payers: FindPayers
  readonly shares: SharesOfFeed
  readonly clock: Pick<Clock, 'now'>
  readonly logger: Logger
}

/** How far a wish is met. */
export interface WishStanding {
  /** A user by id, or minus the id of a query feed. */
  readonly payer: number
  readonly wish: QualityWish
  /** The least that is believed to give it; null: no budget does, or nothing is known of its sources yet. */
  readonly neededPerDay: number | null
  /** What it has of the budget. */
  readonly givenPerDay: number
  /** What the budget lacks. */
  readonly lackingPerDay: number
  /** With what it needs. */
  readonly expected: { readonly completeness: number; readonly meanDelayMs: number } | null
  readonly at: InstantMs
}

const WISHES: NamedState<readonly WishStanding[]> = jsonState('wishes', [], (stored) =>
  Array.isArray(stored) && stored.every((one) => Number.isFinite(one?.payer)) ? stored : undefined,
)

/** Divides the budget by what is wished for. Nothing is wished for: evenly, as ever. */
export async function adjustParts(
  deps: WishDeps,
  budget: Budget,
  signal?: AbortSignal,
): Promise<readonly WishStanding[]> {
  const { scheduler, store, logger } = deps
  const wishers = await wishersOf(store)
  if (wishers.every(({ wish }) => wish === null)) {
    scheduler.setParts(new Map())
    if ((await store.state(WISHES)).length > 0) await store.saveState(WISHES, [])
    return []
  }
  const paid = await paidSources(deps)
  const found = new Map<number, Need | null>()
  for (const wisher of wishers) {
    const ids = paid.get(wisher.payer)
    if (wisher.wish !== null && ids !== undefined) found.set(wisher.payer, await needOf(deps, wisher, ids, signal))
  }
  if (signal?.aborted) return []
  const claims: readonly BudgetClaim[] = wishers
    .filter(({ payer }) => paid.has(payer))
    .map(({ payer, user }) => ({ payer, user, needed: found.get(payer)?.perDay ?? null }))
  const perDay = (budget.requests * DAY_MS) / budget.perMs
  const allotments = allot(perDay, claims)
  scheduler.setParts(new Map(allotments.map((one) => [one.payer, (one.perDay * claims.length) / perDay])))
  const byPayer = new Map(allotments.map((one) => [one.payer, one]))
  const standings = wishers.flatMap(({ payer, wish }): WishStanding[] => {
    if (wish === null) return []
    const need = found.get(payer) ?? null
    const { perDay: mine = 0, lacking = 0 } = byPayer.get(payer) ?? {}
    return [{ payer, wish, ...standing(need, mine, lacking), at: deps.clock.now() }]
  })
  await store.saveState(WISHES, standings)
  for (const one of standings) {
    if (one.lackingPerDay > 0) logger.info({ ...one }, 'a wished quality needs more than the budget')
  }
  return standings
}

export async function wishStandings(store: Pick<Store, 'state'>): Promise<ReadonlyMap<number, WishStanding>> {
  return new Map((await store.state(WISHES)).map((one) => [one.payer, one]))
}

function standing(need: Need | null, granted: number, lacking: number) {
  return {
    neededPerDay: need === null ? null : Math.ceil(need.perDay),
    givenPerDay: Math.floor(granted),
    lackingPerDay: Math.ceil(lacking),
    expected:
      need === null
        ? null
        : { completeness: need.forecast.completeness, meanDelayMs: Math.round(need.forecast.meanDelayMs) },
  }
}

interface PaidSource {
  readonly id: SourceId
  readonly payers: number
}

/** What each payer pays for, and with how many others. */
async function paidSources({ store, payers }: WishDeps): Promise<ReadonlyMap<number, readonly PaidSource[]>> {
  const map = await payers()
  const paid = new Map<number, PaidSource[]>()
  for (const { id, paused } of await allSources(store)) {
    await giveWay()
    const of = paused ? [] : map.of(id)
    for (const payer of of) {
      const own = paid.get(payer)
      if (own === undefined) paid.set(payer, [{ id, payers: of.length }])
      else own.push({ id, payers: of.length })
    }
  }
  return paid
}

interface Need {
  readonly perDay: number
  readonly forecast: Forecast
}

/** What the wish takes of this payer; what others pay of its sources is not counted. null: it cannot be known. */
async function needOf(
  deps: WishDeps,
  { wish, feedId }: Wisher,
  paid: readonly PaidSource[],
  signal?: AbortSignal,
): Promise<Need | null> {
  const { strategy, scheduler, clock, shares } = deps
  const now = clock.now()
  const shareBySource = feedId === null ? null : await shares(feedId)
  const worthOf = ({ id }: SourceFacts) => (shareBySource === null ? 1 : (shareBySource.get(id) ?? 0))
  const sample = spreadBudget(strategy, scheduler.beliefsOf(paid.map(({ id }) => id)), SAMPLE, now)
  if (sample.length === 0 || sample.every(({ facts }) => worthOf(facts) === 0)) return null
  const found = await runInSteps(leastBudgetSteps(strategy, sample, boundsOf(wish!), now, worthOf), signal)
  if (found === null) return null
  const payersOf = new Map(paid.map(({ id, payers }) => [id, payers]))
  let perDay = 0
  for (const [payers, some] of groups(sample, ({ facts }) => payersOf.get(facts.id) ?? 1)) {
    const expected = await runInSteps(forecastSteps(strategy, some, found.price, now, worthOf), signal)
    perDay += (expected?.requestsPerDay ?? 0) / payers
  }
  return { perDay: (headroom(paid.length) * perDay * paid.length) / sample.length, forecast: found.forecast }
}

function boundsOf({ completeness, meanDelayMs }: QualityWish): QualityBounds {
  return { ...(completeness === null ? {} : { completeness }), ...(meanDelayMs === null ? {} : { meanDelayMs }) }
}

function groups(
  sources: readonly CycleSource<unknown>[],
  keyOf: (source: CycleSource<unknown>) => number,
): ReadonlyMap<number, readonly CycleSource<unknown>[]> {
  const found = new Map<number, CycleSource<unknown>[]>()
  for (const source of sources) found.set(keyOf(source), [...(found.get(keyOf(source)) ?? []), source])
  return found
}
