import { median, rounded } from './rounds.ts'
import { type Contender, Scan, Wheel } from './schedule-contenders.ts'
import { heldBytes } from './schedule-memory.ts'
import { CYCLE_MS, ScheduleWorld, START } from './schedule-world.ts'

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

/**
 * Decisions per second of CPU time for 2Steps in its event-driven form, beside the scan of Algorithm 4.1 in the same
 * run. A decision is one source chosen, its observation learnt by the daily hybrid model, and its next sleep found.
 */
export async function benchSchedule(options: BenchScheduleOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 7)
  compile()
  const scan = new Timed(new Scan(new ScheduleWorld(SCAN_SOURCES, 1)))
  scan.run(WARM_UP_CYCLES)
  const sizes = (options.sources ?? SIZES).map(prepare)
  for (let round = 0; round < rounds; round++) for (const { timed } of [...sizes, { timed: scan }]) timed.round()
  const smallest = sizes[0]!
  const largest = sizes.at(-1)!
  const ratio = median(largest.timed.samples.map((sample, round) => sample / smallest.timed.samples[round]!))
  return {
    bench: 'schedule',
    strategy: 'two-steps, event-driven; τ moves by Algorithm 4.2',
    model: 'hybrid, 24 slots a day, with α state',
    world: 'one item a month to one an hour, daily rhythm; budget for one refresh a source and day, 10-minute cycles',
    rounds,
    cyclesPerRound: CYCLES_PER_ROUND,
    sizes: sizes.map((size) => ({ sources: size.wheel.size, ...size.timed.figures(), ...size.memory() })),
    largestToSmallest: { ratio: rounded(ratio), atMost: MOST_RATIO, ok: ratio <= MOST_RATIO },
    bytesPerSource: { atMost: MOST_BYTES, ok: sizes.every((size) => size.memory().bytesPerSource <= MOST_BYTES) },
    scan: { sources: SCAN_SOURCES, ...scan.figures() },
  }
}

/** A small world of each kind until the code is compiled; nothing of it is counted. */
function compile(): void {
  const world = () => new ScheduleWorld(2_000, 2)
  for (const contender of [new Wheel(world()), new Scan(world())]) new Timed(contender).run(150)
}

function prepare(sources: number) {
  const world = new ScheduleWorld(sources, 1)
  const before = heldBytes()
  const contender = new Wheel(world)
  const timed = new Timed(contender)
  timed.run(WARM_UP_CYCLES)
  // What the world keeps for itself is not the scheduler's.
  const held = heldBytes() - before - contender.worldBytes
  const memory = () => ({
    bytesPerSource: rounded(held / sources),
    arrayBytesPerSource: rounded(contender.wheel.bytes / sources),
  })
  return { wheel: contender.wheel, timed, memory }
}

class Timed {
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
      this.now += CYCLE_MS
      const done = this.contender.cycle(this.now)
      decisions += done.decisions
      cpuMs += done.cpuMs
    }
    return { nanoseconds: cpuMs * 1e6, decisions: Math.max(1, decisions) }
  }

  figures() {
    const nanoseconds = median(this.samples)
    return {
      decisionsPerSecond: rounded(1e9 / nanoseconds),
      nanosecondsPerDecision: rounded(nanoseconds),
      sourcesLookedAtPerDecision: rounded(this.looks / this.decisions),
      decisions: this.decisions,
      tau: rounded(this.contender.tau),
    }
  }
}
