import { median, rounded } from './rounds.ts'
import { type Contender, Scan } from './schedule-contenders.ts'
import { CYCLE_MS, ScheduleWorld, START } from './schedule-world.ts'

export interface BenchScheduleOptions {
  readonly rounds?: number
  readonly sources?: readonly number[]
}

const SCAN_SOURCES = 10_000

/** Scheduling decisions per second of CPU time: choosing a source and learning what its refresh brought. */
export async function benchSchedule(options: BenchScheduleOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 5)
  const scan = new Runner(new Scan(new ScheduleWorld(SCAN_SOURCES, 1)))
  scan.run(6)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) samples.push(scan.run(6))
  const nanoseconds = median(samples)
  return {
    bench: 'schedule',
    strategy: 'two-steps',
    rounds,
    scan: {
      sources: SCAN_SOURCES,
      decisionsPerSecond: rounded(1e9 / nanoseconds),
      nanosecondsPerDecision: rounded(nanoseconds),
    },
  }
}

class Runner {
  private now = START

  constructor(private readonly contender: Contender) {}

  /** CPU nanoseconds per decision over so many cycles. */
  run(cycles: number): number {
    let decisions = 0
    let cpuMs = 0
    for (let cycle = 0; cycle < cycles; cycle++) {
      this.now += CYCLE_MS
      const done = this.contender.cycle(this.now)
      decisions += done.decisions
      cpuMs += done.cpuMs
    }
    return (cpuMs * 1e6) / Math.max(1, decisions)
  }
}
