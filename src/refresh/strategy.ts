import type { DurationMs, InstantMs, Observation, Random, SourceId } from '../model/index.ts'
import type { Intensity } from './intensity.ts'
import type { Packing } from './packing.ts'

/** What a strategy may know of a source apart from what it learnt itself. */
export interface SourceFacts {
  readonly id: SourceId
  /** Importance of its items to those who read them: weight × relevance to the registered queries. */
  readonly weight: number
  /** Price of one request in budget units; 1 unless costs differ (bytes, time). */
  readonly cost: number
  /** Publication window W, items; the last one seen, or a usual one before the first refresh. */
  readonly windowSize: number
  readonly addedAt: InstantMs
  readonly lastRefreshAt: InstantMs | null
}

/**
 * A strategy in its *priced form*: it knows one source at a time and says when refreshing it will be worth the price.
 * Only the price is global, so this form scales to any number of sources and shards; one controller moves the price
 * until spending meets the budget (price.ts).
 *
 * Rules that hold for every strategy (the contract suite checks them):
 * - `dueAt` never decreases when the price rises, and is `facts.lastRefreshAt ?? facts.addedAt` or later;
 * - a higher weight never makes it later, a higher cost never earlier (strategies that know neither ignore both);
 * - for those that follow a timetable (`timetable: true`, SCC07's retrieval points) the two rules above hold for the
 *   number of refreshes in a long time instead: with one retrieval less per day all of them move, some to earlier;
 * - memory is a small plain value; the strategy itself holds nothing.
 *
 * Policies that only know an interval (the peers', advaRSS) read the price as the factor on all their intervals and
 * limits; utility strategies read it as the thesis's τ.
 */
export interface PricedStrategy<Memory> {
  readonly id: string
  /** What it knows of a source before the first refresh. */
  start(facts: SourceFacts, random: Random): Memory
  /** What it knows after a refresh. */
  observe(memory: Memory, observation: Observation, facts: SourceFacts, random: Random): Memory
  /** Infinity: not worth it at any time. */
  dueAt(memory: Memory, facts: SourceFacts, price: number): InstantMs
  /** In words for people, as "every 12 min: 480 sources share 40 requests a minute". `dueAt`: where it is known already. */
  reason(memory: Memory, facts: SourceFacts, price: number, dueAt?: InstantMs): string
  /** A price to start the controller from. */
  firstPrice(sources: number, budget: Budget): number
  /** Refreshes sit at fixed moments of a period, see above. */
  readonly timetable?: true
  /**
   * Items it expects of the source in [from, to); absent where a strategy has no publication model. With it the inverse
   * problem (least budget for a wished quality, least-budget.ts) can be answered.
   */
  expected?(memory: Memory, from: InstantMs, to: InstantMs): number
  /**
   * When the window will be full, from the last refresh on: from then on the source goes before all that is merely worth
   * the price (thesis Algorithm 4.1, first step). Absent: there is no such first step.
   */
  urgentAt?(memory: Memory, facts: SourceFacts): InstantMs
  /** `dueAt` of a packed memory without unpacking it: called for all sources when the price falls. */
  dueAtPacked?(source: Float32Array, offset: number, facts: SourceFacts, price: number): InstantMs
  /** It notices changes of pace by itself, so that the scheduler raises no alarms beside it (scheduler/alarm.ts). */
  readonly followsChange?: true
  /** The price is the thesis's τ: due when weight × utility reaches price × cost (equation 4.4). */
  readonly priceIsUtility?: true
  /**
   * What is known of several sources as if they were one; absent: they cannot be asked for in one request. `shares`: how much of
   * each the request shows.
   */
  join?(memories: readonly Memory[], shares?: readonly number[]): Memory
  /** How the memory lies in typed arrays and in the store; absent: as JSON. */
  readonly packing?: Packing<Memory>
  /** Names the form of the memory: what was stored under another name is learnt again from the observations. */
  readonly memoryForm?: string
  /** When to refresh a source of which a page that shows others has announced so many items; absent: as it would be anyway. */
  afterSignal?(memory: Memory, facts: SourceFacts, price: number, now: InstantMs, items: number): InstantMs
  /** What hubs say of sources; absent: a push is followed at once, and polls go on as before. */
  readonly pushes?: PushSignals<Memory>
  /** What it believes of a source, for people. */
  believes?(memory: Memory): Belief
}

/** What hubs say of sources that they push. The strategy stores what each hub was worth. */
export interface PushSignals<Memory> {
  /** Learns from a refresh; whom hubs are not believed about any more, so that they are due as without one. */
  observe(observation: Observation): readonly SourceId[]
  pushed(id: SourceId, now: InstantMs): void
  /** When to refresh a source that its hub has just told of. */
  after(memory: Memory, facts: SourceFacts, price: number, now: InstantMs): InstantMs
  /** How many times longer than without its hub a source waits; 1: it has none that is believed. */
  stretch(id: SourceId, waitMs: DurationMs): number
  /** The clock was set by so much. */
  shift(byMs: DurationMs): void
}

/** A publication model as it is shown. */
export interface Belief {
  readonly model: string
  readonly intensity: Intensity
  /** What is special to the model: which of a hybrid decides, α … */
  readonly details: Readonly<Record<string, number | string>>
}

/** The part of a strategy that learns. What decides with it may be a price or go in cycles. */
export type LearntModel<Memory> = Pick<
  PricedStrategy<Memory>,
  'id' | 'start' | 'observe' | 'expected' | 'followsChange' | 'packing' | 'memoryForm' | 'believes'
>

/** A strategy whose memory the caller does not look into. */
export type AnyPricedStrategy = PricedStrategy<unknown>

/** Requests (or cost units) over a period. */
export interface Budget {
  readonly requests: number
  readonly perMs: DurationMs
}

/** One source as the cycle form sees it. */
export interface CycleSource<Memory> {
  readonly facts: SourceFacts
  readonly memory: Memory
}

/** Each interval is drawn at random between these. */
export interface RunInterval {
  readonly leastMs: DurationMs
  readonly mostMs: DurationMs
}

export interface Countdown {
  /** 1: at the next run. */
  readonly runsLeft: number
  readonly counts: Readonly<Record<string, number>>
}

/**
 * A strategy in its *cycle form*, as in the papers: at each cycle it sees all sources and what it may spend, and
 * chooses. State is what it keeps between cycles (τ, a round-robin position …). The property suite shows that both
 * forms of a strategy choose the same sources.
 */
export interface CycleStrategy<Memory, State> {
  readonly id: string
  /** The state before the first cycle. */
  begin(options: { readonly budgetPerCycle: number; readonly cycleMs: DurationMs }): State
  /** The state with another budget; the same where it knows none. */
  withBudget(state: State, budgetPerCycle: number): State
  /** τ; absent: nothing has to be worth anything. */
  threshold?(state: State): number
  /** It runs at random intervals, whatever the length of a cycle is set to, and also where nothing may be spent (advaRSS). */
  readonly runs?: RunInterval
  /** Runs until it takes the source, with what it counts by, for people: advaRSS's M, T and ToE. */
  countdown?(state: State, memory: Memory, facts: SourceFacts): Countdown
  /** Which sources to refresh in this cycle, and the state for the next. */
  select(
    state: State,
    sources: readonly CycleSource<Memory>[],
    now: InstantMs,
    random: Random,
  ): { readonly state: State; readonly refresh: readonly SourceId[] }
}

/**
 * How far a source has drifted from what is known of it (thesis 2.1), as cycle forms ask for it: estimated
 * (divergence.ts) or known exactly (the oracle of the lab).
 */
export interface DivergenceView<Memory> {
  /** New items since the last refresh, whether or not still in the window (Definition 2.1.5). */
  stream(memory: Memory, facts: SourceFacts, now: InstantMs): number
  /** New relevant items that are still in the window (Definition 2.1.6). */
  window(memory: Memory, facts: SourceFacts, now: InstantMs): number
  /** Equation 4.5, item-hours. */
  utility(memory: Memory, facts: SourceFacts, now: InstantMs): number
}
