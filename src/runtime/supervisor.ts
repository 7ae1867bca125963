import { type DurationMs, type InstantMs, MINUTE_MS, type Random, SECOND_MS } from '../model/index.ts'
import type { Alarms } from './alarms.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'

/** A part of the node that works in the background until its signal aborts, and that can be started again. */
export interface Layer {
  readonly name: string
  /**
   * Must be ready to run again after it threw: what it holds in memory is as good as lost then, or still right. It may say
   * that it did its work; one that works rarely must, as merely having run proves nothing.
   */
  readonly run: (signal: AbortSignal, succeeded: () => void) => Promise<void>
  /** After a failure it counts as healthy again when it ran so long; null: only when it says so. */
  readonly healthyAfterMs?: DurationMs | null
}

/** Sees to it that a layer runs until the signal aborts. */
export type Supervise = (layer: Layer, signal: AbortSignal) => Promise<void>

/** Without a supervisor a failure is the caller's. */
export const withoutSupervision: Supervise = ({ run }, signal) => run(signal, () => {})

export interface LayerState {
  readonly name: string
  /** `failing`: from a failure until it has run for a while without another. */
  readonly state: 'running' | 'failing' | 'ended'
  /** Since the process began. */
  readonly failures: number
  readonly lastFailure: { readonly at: InstantMs; readonly code: string | null; readonly message: string } | null
  /** When it is started again; null: it runs, or has ended. */
  readonly retryAt: InstantMs | null
}

export interface Supervisor {
  /** Runs a layer until the signal aborts, starting it again whenever it fails. Rejects with what ends the node alone. */
  readonly run: Supervise
  /** For work that starts by itself, such as that of a store in its own timers. */
  watch(name: string): BackgroundWatch
  layers(): readonly LayerState[]
}

/** Where work reports that nobody waits for. */
export interface BackgroundWatch {
  recordFailure(error: unknown): void
  succeeded(): void
}

export interface SupervisorDeps {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>
  readonly alarms: Alarms
  /** What no restart can repair; absent: nothing is. */
  readonly isFatal?: (error: unknown) => boolean
}

const FIRST_PAUSE_MS = SECOND_MS
export const LONGEST_PAUSE_MS = 2 * MINUTE_MS
const HEALTHY_AFTER_MS = MINUTE_MS

/**
 * Pauses double from a second to two minutes, each spread over ± 25 % so that layers that failed together do not come back
 * together.
 */
export function pauseAfter(failuresInARow: number, random: Random): DurationMs {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, failuresInARow - 1))
  return Math.round(pauseMs * (0.75 + 0.5 * random()))
}

/**
 * Keeps the layers of a node running: one that fails is logged with its cause and started again after a growing pause, and
 * the others do not notice.
 *
 * A layer is `running` until it throws; then `failing`: first waiting for its next start, then on probation. When it has run
 * for its time without another failure it is `running` again, and the next pause is the first one. A layer that returns has
 * `ended`: it had nothing more to do, or the node stops.
 */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { clock, random, logger, alarms, isFatal = () => false } = deps
  const watched = new Map<string, WatchedLayer>()
  const tell = () => tellFailing(alarms, [...watched.values()])

  function recovered(one: WatchedLayer): void {
    if (one.failuresInARow === 0) return
    one.failuresInARow = 0
    logger.info({ layer: one.name }, 'layer is healthy again')
    tell()
  }

  async function attempt(one: WatchedLayer, { run }: Layer, signal: AbortSignal): Promise<boolean> {
    const succeeded = () => recovered(one)
    const probation = new AbortController()
    const over = passProbation(one, AbortSignal.any([signal, probation.signal]), succeeded)
    try {
      await run(signal, succeeded)
      return true
    } catch (error) {
      if (isFatal(error)) throw error
      one.recordFailure(error, clock.now())
      const level = signal.aborted ? 'warn' : 'error'
      logger[level]({ err: error, layer: one.name, failuresInARow: one.failuresInARow }, 'layer failed')
      return false
    } finally {
      probation.abort()
      await over
    }
  }

  async function passProbation(one: WatchedLayer, signal: AbortSignal, succeeded: () => void): Promise<void> {
    if (one.healthyAfterMs === null || one.failuresInARow === 0) return
    await clock.sleep(one.healthyAfterMs, signal)
    if (!signal.aborted) succeeded()
  }

  return {
    async run(layer, signal) {
      // One that ended and is started again, as the crawler with other settings, goes on counting.
      const one = watched.get(layer.name) ?? watch(layer)
      one.hasEnded = false
      watched.set(layer.name, one)
      try {
        while (!(await attempt(one, layer, signal)) && !signal.aborted) {
          tell()
          const pauseMs = pauseAfter(one.failuresInARow, random)
          one.retryAt = clock.now() + pauseMs
          await clock.sleep(pauseMs, signal)
          one.retryAt = null
          if (signal.aborted) break
        }
      } finally {
        one.hasEnded = true
        tell()
      }
    },
    watch(name) {
      const one = new WatchedLayer(name, null)
      watched.set(name, one)
      return {
        recordFailure(error) {
          // It may fail at every step: the first says all.
          if (one.failuresInARow === 0) logger.error({ err: error, layer: name }, 'layer failed')
          one.recordFailure(error, clock.now())
          tell()
        },
        succeeded: () => recovered(one),
      }
    },
    layers: () => [...watched.values()].map((one) => one.state()),
  }
}

function watch({ name, healthyAfterMs = HEALTHY_AFTER_MS }: Layer): WatchedLayer {
  return new WatchedLayer(name, healthyAfterMs)
}

class WatchedLayer {
  failuresInARow = 0
  retryAt: InstantMs | null = null
  hasEnded = false
  readonly name: string
  readonly healthyAfterMs: DurationMs | null
  private failures = 0
  private lastFailure: LayerState['lastFailure'] = null

  constructor(name: string, healthyAfterMs: DurationMs | null) {
    this.name = name
    this.healthyAfterMs = healthyAfterMs
  }

  get isFailing(): boolean {
    return !this.hasEnded && this.failuresInARow > 0
  }

  recordFailure(error: unknown, now: InstantMs): void {
    this.failures++
    this.failuresInARow++
    this.lastFailure = { at: now, code: codeOf(error), message: error instanceof Error ? error.message : String(error) }
  }

  describeFailure(): string {
    return `${this.name}: ${this.lastFailure?.message}`
  }

  state(): LayerState {
    const { name, failures, lastFailure, retryAt } = this
    const state = this.hasEnded ? 'ended' : this.isFailing ? 'failing' : 'running'
    return { name, state, failures, lastFailure, retryAt }
  }
}

function tellFailing(alarms: Alarms, all: readonly WatchedLayer[]): void {
  const failing = all.filter((one) => one.isFailing)
  if (failing.length === 0) alarms.clear('LAYER_FAILING')
  else alarms.raise('LAYER_FAILING', failing.map((one) => one.describeFailure()).join('; '))
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
