import type { InstantMs } from '../../src/model/index.ts'
import type { Tally } from '../simulator/tally.ts'
import type { SimSource } from '../simulator/world.ts'
import type { SourceTally } from './source-tally.ts'

/** A policy at one setting of its knob, which can be left at any moment and gone on with. */
export interface Course {
  /** Takes these sources on to `untilMs`; gives up once more than `mostRequests` were counted. Returns those it took. */
  goOn(sources: readonly SimSource[], untilMs: InstantMs, mostRequests: number, tally: Tally): readonly SimSource[]
}

interface StretchRun {
  readonly course: Course
  readonly tally: SourceTally
  readonly taken: Set<SimSource>
}

/**
 * The runs of one policy over one stretch of time, by their knob. No source is run twice at one knob: where all are asked
 * for, those that were run as a part are there.
 */
export class Stretch {
  private readonly runs = new Map<number, StretchRun>()
  private readonly untilMs: InstantMs
  private readonly begin: (knob: number) => Course
  private readonly tallyFor: () => SourceTally

  constructor(untilMs: InstantMs, begin: (knob: number) => Course, tallyFor: () => SourceTally) {
    this.untilMs = untilMs
    this.begin = begin
    this.tallyFor = tallyFor
  }

  courseAt(knob: number): Course {
    return this.runAt(knob).course
  }

  /** Of these sources, and of those of them that were asked for before. */
  tallyAt(knob: number, sources: readonly SimSource[], mostRequests: number): SourceTally {
    const { course, tally, taken } = this.runAt(knob)
    const waiting = taken.size === 0 ? sources : sources.filter((source) => !taken.has(source))
    if (waiting.length > 0 && !(tally.requests > mostRequests)) {
      for (const source of course.goOn(waiting, this.untilMs, mostRequests, tally)) taken.add(source)
    }
    return tally
  }

  requestsAt(knob: number, sources: readonly SimSource[], mostRequests: number): number {
    const { requests } = this.tallyAt(knob, sources, mostRequests).perSource
    let sum = 0
    for (const { id } of sources) sum += requests[id]!
    return sum
  }

  private runAt(knob: number): StretchRun {
    let run = this.runs.get(knob)
    if (run === undefined) {
      run = { course: this.begin(knob), tally: this.tallyFor(), taken: new Set() }
      this.runs.set(knob, run)
    }
    return run
  }
}
