import type { Clock } from '../../src/runtime/clock.ts'
import type { Stage } from './stage.ts'

/** `short`: seconds, in every test run. `full`: everything that is known of the class, within a minute or so. */
export type Effort = 'short' | 'full'

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
  run(stage: Stage, effort: Effort): Promise<AttackOutcome>
}

export interface AttackResult extends AttackOutcome {
  readonly name: string
  readonly promise: string
  /** Why the class could not be run to its end; counts as a failure. */
  readonly error: string | null
  readonly seconds: number
}

export interface AttackRun {
  readonly effort: Effort
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly openStage: () => Stage
  readonly onBegin?: (attack: AttackClass) => void
  readonly onEnd?: (result: AttackResult) => void
}

/** One class after the other, each on a stage of its own: what one does to its node says nothing about the next. */
export async function runAttacks(classes: readonly AttackClass[], run: AttackRun): Promise<readonly AttackResult[]> {
  const results: AttackResult[] = []
  for (const attack of classes) {
    run.onBegin?.(attack)
    const result = await runAttack(attack, run)
    run.onEnd?.(result)
    results.push(result)
  }
  return results
}

export async function runAttack(attack: AttackClass, { effort, clock, openStage }: AttackRun): Promise<AttackResult> {
  const { name, promise } = attack
  const startMs = clock.monotonicMs()
  const seconds = () => Math.round((clock.monotonicMs() - startMs) / 100) / 10
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

/** Whether the promise held: it was tried, and nothing was hit. */
export function holds({ tries, hits, error, skipped = [] }: AttackResult): boolean {
  return error === null && hits.length === 0 && (tries > 0 || skipped.length > 0)
}
