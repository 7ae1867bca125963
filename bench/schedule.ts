import { entryAt } from '../src/model/entry-at.ts'
import { median, roundToPrecision } from './rounds.ts'
import { Ahead, type Contender, cpuMsOf, Scan, WheelContender } from './schedule-contenders.ts'
import { benchLiveSchedule } from './schedule-live.ts'
import { usedHeapBytes } from './schedule-memory.ts'
import { BENCH_CYCLE_MS, ScheduleWorld, START } from './schedule-world.ts'

export interface BenchScheduleOptions {
  /** Interleaved rounds, at least 5. */
  readonly rounds?: number
  readonly sources?: readonly number[]
}

const SIZES = [10_000, 100_000, 1_000_000] as const
const SCAN_SOURCES = 10_000
/** Every size runs through the same stretch of virtual time, so that τ is in the same phase for all. */
const WARM_UP_CYCLES = 24
const CYCLES_PER_ROUND = 12
const MOST_RATIO = 4
const MOST_BYTES = 350
const LEAST_TO_TWO_STEPS = 0.5
const MOST_AHEAD_BYTES = 128

/**
 * Decisions per second of CPU time for 2Steps in its event-driven form, beside the scan of Algorithm 4.1 in the same
 * run, and for foresight in its own. A decision is one source chosen, its observation learnt (2Steps: by the daily hybrid model), and its next
 * sleep found.
 */
export async function benchSchedule(options: BenchScheduleOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 7)
  compile()
  const scan = new TimedRun(new Scan(new ScheduleWorld(SCAN_SOURCES, 1)))
  scan.run(WARM_UP_CYCLES)
  const sizes = (options.sources ?? SIZES).map((sources) => prepare(sources, WheelContender))
  const ahead = (options.sources ?? SIZES).map((sources) => prepare(sources, Ahead))
  for (let round = 0; round < rounds; round++) {
    for (const { timed } of [...sizes, ...ahead, { timed: scan }]) timed.round()
  }
  const smallest = entryAt(sizes, 0)
  const largest = sizes.at(-1)!
  const ratio = median(largest.timed.samples.map((sample, round) => sample / entryAt(smallest.timed.samples, round)))
  return {
    bench: 'schedule',
    strategy: 'two-steps, event-driven; τ moves by Algorithm 4.2',
    model: 'hybrid, 24 slots a day, with α state',
    world: 'one item a month to one an hour, daily rhythm; budget for one refresh a source and day, 10-minute cycles',
    rounds,
    cyclesPerRound: CYCLES_PER_ROUND,
    sizes: sizes.map((size) => ({ sources: size.sources, ...size.timed.figures(), ...size.memory() })),
    largestToSmallest: { ratio: roundToPrecision(ratio), atMost: MOST_RATIO, ok: ratio <= MOST_RATIO },
    bytesPerSource: { atMost: MOST_BYTES, ok: sizes.every((size) => size.memory().bytesPerSource <= MOST_BYTES) },
    foresight: aheadFigures(sizes, ahead),
    scan: { sources: SCAN_SOURCES, ...scan.figures() },
    live: await benchLiveSchedule(),
  }
}

type PreparedRun = ReturnType<typeof prepare>

/** Rounds are interleaved, so the ratio is taken round by round. */
function aheadFigures(twoSteps: readonly PreparedRun[], ahead: readonly PreparedRun[]): object {
  const sizes = ahead.map((size, index) => {
    const speed = median(
      size.timed.samples.map((sample, round) => entryAt(entryAt(twoSteps, index).timed.samples, round) / sample),
    )
    return {
      sources: size.sources,
      ...size.timed.figures(),
      ...size.memory(),
      preparedInSeconds: roundToPrecision(size.preparedInSeconds),
      decisionsToTwoSteps: {
        ratio: roundToPrecision(speed),
        atLeast: LEAST_TO_TWO_STEPS,
        ok: speed >= LEAST_TO_TWO_STEPS,
      },
    }
  })
  return {
    sizes,
    bytesPerSource: { atMost: MOST_AHEAD_BYTES, ok: sizes.every((s) => s.bytesPerSource <= MOST_AHEAD_BYTES) },
  }
}

/** A small world of each kind until the code is compiled; nothing of it is counted. */
function compile(): void {
  const world = () => new ScheduleWorld(2_000, 2)
  for (const contender of [new WheelContender(world()), new Scan(world()), new Ahead(world())])
    new TimedRun(contender).run(150)
}

interface PackedContender extends Contender {
  readonly wheel: { readonly bytes: number }
  /** What the world keeps for itself is not the scheduler's. */
  readonly worldBytes: number
}

function prepare(sources: number, Form: new (world: ScheduleWorld) => PackedContender) {
  const world = new ScheduleWorld(sources, 1)
  const before = usedHeapBytes()
  const { result, cpuMs } = cpuMsOf(() => {
    const contender = new Form(world)
    const timed = new TimedRun(contender)
    timed.run(WARM_UP_CYCLES)
    return { contender, timed }
  })
  const { contender, timed } = result
  const bytes = usedHeapBytes() - before - contender.worldBytes
  const memory = () => ({
    bytesPerSource: roundToPrecision(bytes / sources),
    arrayBytesPerSource: roundToPrecision(contender.wheel.bytes / sources),
  })
  return { sources, timed, memory, preparedInSeconds: cpuMs / 1_000 }
}

class TimedRun {
  readonly samples: number[] = []
  private now = START
  private decisions = 0
  private looks = 0

  constructor(private readonly contender: Contender) {}

  round(): void {
    const { looks } = this.contender
    const { nanoseconds, decisions } = this.run(CYCLES_PER_ROUND)
    this.samples.push(nanoseconds / decisions)
    this.decisions += decisions
    this.looks += this.contender.looks - looks
  }

  run(cycles: number): { readonly nanoseconds: number; readonly decisions: number } {
    let decisions = 0
    let cpuMs = 0
    for (let cycle = 0; cycle < cycles; cycle++) {
      this.now += BENCH_CYCLE_MS
      const done = this.contender.cycle(this.now)
      decisions += done.decisions
      cpuMs += done.cpuMs
    }
    return { nanoseconds: cpuMs * 1e6, decisions: Math.max(1, decisions) }
  }

  figures() {
    const nanoseconds = median(this.samples)
    return {
      decisionsPerSecond: roundToPrecision(1e9 / nanoseconds),
      nanosecondsPerDecision: roundToPrecision(nanoseconds),
      sourcesLookedAtPerDecision: roundToPrecision(this.looks / this.decisions),
      decisions: this.decisions,
      tau: roundToPrecision(this.contender.tau),
    }
  }
}
