import { systemClock } from '../src/runtime/clock.ts'

export interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

/** CPU time of all threads of this process, because machines are noisy and wall time is not ours alone. */
export async function measureCost(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage()
  const start = systemClock.monotonicMs()
  await work()
  const wallMs = systemClock.monotonicMs() - start
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1_000, wallMs }
}

/** Not a number where there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  return (lower + upper) / 2
}

export function medianCost(costs: readonly Cost[]): Cost {
  return { cpuMs: median(costs.map((cost) => cost.cpuMs)), wallMs: median(costs.map((cost) => cost.wallMs)) }
}

export function roundToPrecision(value: number, digits = 3): number {
  return Number(value.toPrecision(digits))
}
