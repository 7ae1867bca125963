import type { DurationMs } from '../../src/model/index.ts'
import type { PerSource } from './source-tally.ts'

/** One policy at one budget, as `headwater lab compare --json` prints it. */
export interface PolicyRow {
  readonly policy: string
  readonly requests: number
  readonly meanDelayMinutes: number
  readonly medianDelayMinutes: number
  readonly p95DelayMinutes: number
  readonly maxDelayMinutes: number
  readonly deviationMinutes: number
  readonly lostShare: number
  /** The price or factor that met the budget. */
  readonly price: number | null
  /** The same policy at the price that met the budget in the learning days; absent where there is no such price. */
  readonly learntPrice?: LearntPriceRow
  /** Why requests differ from the others', where they do. */
  readonly note?: string
}

/** Nothing of it was chosen in hindsight. */
export interface LearntPriceRow {
  readonly price: number
  readonly requests: number
  /** Requests beyond the budget, as a share of it; below 0: some were left. */
  readonly drift: number
  readonly meanDelayMinutes: number
  readonly lostShare: number
}

/** A row with what is needed to compare it with others; the sums of sources are not printed. */
export interface MeasuredRow extends PolicyRow {
  readonly perSource: PerSource
}

export interface BudgetRows {
  readonly perDay: number
  /** So many sources, drawn with the seed, where it is not all of the trace. */
  readonly drawnSources?: number
  readonly policies: readonly PolicyRow[]
  /** Our strategy against each of the others, where it was among them. */
  readonly gains?: readonly GainRow[]
  /** The same against one policy, by class of source. */
  readonly classes?: readonly ClassRow[]
  /** Sources added without history, where asked for. */
  readonly newcomers?: Newcomers
  /** Ours under the live scheduler, by what it may save up, where asked for. */
  readonly breathing?: readonly BreathingRow[]
  /** Ours and the strongest others under a price that follows the budget day by day, where asked for. */
  readonly followed?: readonly FollowedRow[]
}

/** Mean delay below the other's, as a share of the other's, with a 95 % interval over sources. */
export interface GainRow {
  readonly policy: string
  readonly over: string
  readonly gain: number
  readonly low: number
  readonly high: number
  /** Share of the items lost, less the other's, with its interval; below 0: ours loses less. */
  readonly moreLost?: Interval
}

export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface ClassRow extends GainRow {
  /** `activity` or `shape`. */
  readonly by: string
  readonly class: string
  readonly sources: number
}

/** One trace with one window. */
export interface TraceComparison {
  /** Its path. */
  readonly trace: string
  readonly sources: number
  readonly items: number
  readonly window: number
  readonly measuredDays: number
  readonly budgets: readonly BudgetRows[]
  /** Ours with one part left out each, where asked for. */
  readonly parts?: readonly BudgetRows[]
  /** Peers as their authors ship them, where asked for. */
  readonly shipped?: readonly ShippedRow[]
  /** How much of the gain is the rounding of dates, where asked for. */
  readonly dates?: readonly DatesRow[]
}

/** A peer with its own limits and its own number of requests, and ours with as many. */
export interface ShippedRow {
  readonly peer: string
  /** Requests a source and day that it spends by itself. */
  readonly perDay: number
  readonly drawnSources?: number
  readonly theirs: PolicyRow
  readonly ours: PolicyRow
  readonly gain: GainRow
}

/** The same comparison with dates as they are, rounded or spread (dates.ts). */
export interface DatesRow {
  readonly dates: string
  readonly words: string
  readonly perDay: number
  readonly sources: number
  readonly policies: readonly PolicyRow[]
  readonly gains: readonly GainRow[]
}

/** The comparison of the first trace and window, and of all of them where there are several. */
export interface CompareResult extends TraceComparison {
  readonly traces?: readonly TraceComparison[]
  /** How it came about: enough to run it again. */
  readonly run?: RunFacts
  /** What we say of our strategy and whether these figures show it; absent where no such trace was compared. */
  readonly claims?: readonly CompareClaim[]
}

export interface RunFacts {
  readonly seed: number
  readonly perDay: readonly number[]
  readonly windows: readonly number[]
  readonly mostRequests: number | null
  /** Of the code of our strategy and of the simulator. */
  readonly version: string
  /** Figures that are missing because the run was not finished. */
  readonly missing: number
}

export interface CompareClaim {
  readonly text: string
  readonly verdict: 'holds' | 'fails' | 'not measured'
  /** By name, with units. */
  readonly figures: Readonly<Record<string, string>>
}

/** A strategy under the live scheduler, whose token bucket may save up so much of the budget. */
export interface BreathingRow {
  readonly policy: string
  /** Budget that may be saved up and spent at once, in time. */
  readonly burstMs: DurationMs
  readonly requests: number
  readonly meanDelayMinutes: number
  readonly lostShare: number
}

/** A policy whose price follows the budget from what was spent before (followed-run.ts). */
export interface FollowedRow {
  readonly policy: string
  /** When the measure begins, and at its end. */
  readonly firstPrice: number
  readonly lastPrice: number
  readonly requests: number
  /** Requests beyond the budget, as a share of it. */
  readonly drift: number
  readonly meanDelayMinutes: number
  readonly lostShare: number
}

/** Sources that nobody knew, beside the same sources known since the trace began, at the same price. */
export interface Newcomers {
  readonly sources: number
  /** How often they were added, at different times of the trace. */
  readonly starts: number
  /** By day since they were added: mean delay as a multiple of the known ones'. */
  readonly delayRatioByDay: readonly number[]
  readonly requestRatioByDay: readonly number[]
  /** From the fourth day on, over all: within 1.2 they have reached what they will reach. */
  readonly settledRatio: number
}
