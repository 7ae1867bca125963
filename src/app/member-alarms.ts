import type { InstantMs } from '../model/index.ts'
import { ALARMS, type Alarm, type AlarmCode, inOrder } from '../runtime/alarms.ts'

/** What a process has to tell the operator. */
export interface MemberAlarms {
  /** Of the process, for people. */
  readonly name: string
  readonly alarms: readonly { readonly code: string; readonly since: InstantMs; readonly detail: string }[]
}

/** One of each kind: since the first process has it, and with what each of the others says. */
export function withOthers(own: readonly Alarm[], others: readonly MemberAlarms[]): readonly Alarm[] {
  if (others.length === 0) return own
  const all = new Map<AlarmCode, Alarm>(own.map((alarm) => [alarm.code, alarm]))
  for (const { name, alarms } of others) {
    for (const { code, since, detail } of alarms) {
      if (!isAlarm(code)) continue
      const known = all.get(code)
      const said = `${name}: ${detail}`
      all.set(code, {
        code,
        ...ALARMS[code],
        since: Math.min(since, known?.since ?? since),
        detail: known === undefined ? said : `${known.detail}; ${said}`,
      })
    }
  }
  return inOrder([...all.values()])
}

/** A newer version may have others. */
function isAlarm(code: string): code is AlarmCode {
  return code in ALARMS
}

/** As stored by a process: a number that grows as long as it lives. */
export interface AlarmBeat extends MemberAlarms {
  readonly run: string
  readonly beat: number
}

interface Seen {
  readonly beat: number
  /** By the clock of this process; null: not known yet whether it lives. */
  readonly movedMs: number | null
}

/**
 * Which processes live is seen by their numbers growing, so that no two clocks are compared. One that has alarms writes every
 * five seconds; its alarms are gone twenty seconds after it is.
 */
export class AlarmWatch {
  readonly #goneAfterMs: number
  #seen: ReadonlyMap<string, Seen> = new Map()

  constructor(goneAfterMs: number) {
    this.#goneAfterMs = goneAfterMs
  }

  /** Those of processes that live. */
  look(beats: readonly AlarmBeat[], nowMs: number): readonly MemberAlarms[] {
    const before = this.#seen
    this.#seen = new Map(beats.map(({ run, beat }) => [run, seenNow(before.get(run), beat, nowMs)]))
    return beats.filter(({ run, alarms }) => {
      const movedMs = this.#seen.get(run)?.movedMs ?? null
      return alarms.length > 0 && movedMs !== null && nowMs - movedMs < this.#goneAfterMs
    })
  }
}

function seenNow(before: Seen | undefined, beat: number, nowMs: number): Seen {
  if (before === undefined) return { beat, movedMs: null }
  return before.beat === beat ? before : { beat, movedMs: nowMs }
}
