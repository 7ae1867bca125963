import type { InstantMs } from '../../src/model/index.ts'
import type { RunWatch, Tally } from '../simulator/tally.ts'
import type { SimSource } from '../simulator/world.ts'
import { RefreshLog } from './refresh-log.ts'

/** A policy at one setting of its knob, which can be left at any moment and gone on with. */
export interface ResumableRun {
  /** Takes these sources on to `untilMs`; gives up once more than `mostRequests` were counted. Returns those it took. */
  goOn(sources: readonly SimSource[], untilMs: InstantMs, mostRequests: number, watch: RunWatch): readonly SimSource[]
}

interface StretchRun {
  readonly run: ResumableRun
  readonly log: RefreshLog
  readonly sources: Set<SimSource>
}

/**
 * The runs of one policy over one stretch of time, by their knob. No source is run twice at one knob: where all are run
 * for, those that were run as a part are there.
 */
export class Stretch {
  private readonly runs = new Map<number, StretchRun>()
  private readonly fromMs: InstantMs
  private readonly untilMs: InstantMs
  private readonly all: readonly SimSource[]
  private readonly begin: (knob: number) => ResumableRun
  private readonly capacity: number

  /** `target`: requests that the knob looked for spends. */
  constructor(
    [fromMs, untilMs]: readonly [InstantMs, InstantMs],
    all: readonly SimSource[],
    target: number,
    begin: (knob: number) => ResumableRun,
  ) {
    this.fromMs = fromMs
    this.untilMs = untilMs
    this.all = all
    this.capacity = 1.25 * target
    this.begin = begin
  }

  openRunAt(knob: number): ResumableRun {
    return this.runAt(knob).run
  }

  /** Of these sources; given up once more than `mostRequests` were counted. */
  requestsAt(knob: number, sources: readonly SimSource[], mostRequests: number): number {
    const { run, log, sources: takenSources } = this.runAt(knob)
    const waiting = takenSources.size === 0 ? sources : sources.filter((source) => !takenSources.has(source))
    if (waiting.length > 0 && !(log.requests > mostRequests)) {
      for (const source of run.goOn(waiting, this.untilMs, mostRequests, log)) takenSources.add(source)
    }
    let sum = 0
    for (const { id } of sources) sum += log.of[id] ?? 0
    return sum
  }

  /** What was run at this knob, in the order of the world. */
  show<T extends Tally>(knob: number, tally: T): T {
    const { log, sources: takenSources } = this.runAt(knob)
    const visible = this.all.filter((source) => takenSources.has(source))
    log.showTo(tally, visible)
    return tally
  }

  private runAt(knob: number): StretchRun {
    let run = this.runs.get(knob)
    if (run === undefined) {
      const log = new RefreshLog(this.fromMs, this.untilMs, this.all.length, this.capacity)
      run = { run: this.begin(knob), log, sources: new Set() }
      this.runs.set(knob, run)
    }
    return run
  }
}
