import type { Clock } from '../../src/runtime/clock.ts'
import { inParallel } from './in-parallel.ts'
import type { AttackStage } from './stage.ts'

/** `short`: seconds, in every test run. `full`: everything that is known of the class, within a minute or so. */
export type AttackEffort = 'short' | 'full'

export interface AttackOutcome {
  /** Attempts to do harm. */
  readonly tries: number
  /** A line for each attempt that did harm; nothing here is a figure that may be large. */
  readonly hits: readonly string[]
  /** What was measured meanwhile, with units in the names. */
  readonly figures?: Readonly<Record<string, number>>
  /** What could not be tried on this machine, and why. */
  readonly skipped?: readonly string[]
}

/** One way to harm a node, its owner, its members or other sites; tried on real nodes over loopback. */
export interface AttackClass {
  readonly name: string
  /** What must hold, in one sentence. */
  readonly promise: string
  run(stage: AttackStage, effort: AttackEffort): Promise<AttackOutcome>
}

export interface AttackResult extends AttackOutcome {
  readonly name: string
  readonly promise: string
  /** Why the class could not be run to its end; counts as a failure. */
  readonly error: string | null
  readonly seconds: number
}

/** In the order of the classes, whichever ended first. */
export interface AttackSuite {
  readonly effort: AttackEffort
  readonly results: readonly AttackResult[]
  /** From the first to the last. */
  readonly seconds: number
}

export interface AttackRun {
  readonly effort: AttackEffort
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly openStage: () => AttackStage
  /** Classes beside each other: most of them wait for real time to pass. */
  readonly atOnce: number
  readonly onBegin?: (attack: AttackClass) => void
  readonly onEnd?: (result: AttackResult) => void
}

/** Each class on a stage of its own: what one does to its node says nothing about another. */
export async function runAttacks(classes: readonly AttackClass[], run: AttackRun): Promise<AttackSuite> {
  const startMs = run.clock.monotonicMs()
  const results: AttackResult[] = []
  await inParallel(run.atOnce, classes, async (attack, index) => {
    run.onBegin?.(attack)
    results[index] = await runAttack(attack, run)
    run.onEnd?.(results[index])
  })
  return { effort: run.effort, results, seconds: tenths(run.clock.monotonicMs() - startMs) }
}

function tenths(ms: number): number {
  return Math.round(ms / 100) / 10
}

type OneRun = Pick<AttackRun, 'effort' | 'clock' | 'openStage'>

export async function runAttack(attack: AttackClass, { effort, clock, openStage }: OneRun): Promise<AttackResult> {
  const { name, promise } = attack
  const startMs = clock.monotonicMs()
  const seconds = () => tenths(clock.monotonicMs() - startMs)
  const stage = openStage()
  try {
    const outcome = await attack.run(stage, effort)
    return { name, promise, ...outcome, error: null, seconds: seconds() }
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { name, promise, tries: 0, hits: [], error: text, seconds: seconds() }
  } finally {
    await stage.close()
  }
}

/** Whether the promise is true: it was tried, and nothing was hit. */
export function holdsPromise({ tries, hits, error, skipped = [] }: AttackResult): boolean {
  return error === null && hits.length === 0 && (tries > 0 || skipped.length > 0)
}
