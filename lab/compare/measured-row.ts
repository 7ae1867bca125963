import { MINUTE_MS } from '../../src/model/index.ts'
import type { Arena } from './arena.ts'
import { SourceTally } from './source-tally.ts'
import type { MeasuredRow } from './types.ts'

/** For one run over the measured time. */
export function newTally({ world, measureFromMs, items }: Arena): SourceTally {
  return new SourceTally(measureFromMs, world.endMs, items, world.sources.length)
}

export function measuredRow(
  policy: string,
  tally: SourceTally,
  price: number | null,
  note: string | undefined,
): MeasuredRow {
  const deviationMinutes = tally.deviationMs() / MINUTE_MS
  const [median, p95] = tally.quantilesMs([0.5, 0.95])
  return {
    policy,
    requests: tally.requests,
    meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
    medianDelayMinutes: median! / MINUTE_MS,
    p95DelayMinutes: p95! / MINUTE_MS,
    maxDelayMinutes: tally.maxDelayMs / MINUTE_MS,
    deviationMinutes,
    lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
    price,
    perSource: tally.perSource,
    ...(note === undefined ? {} : { note }),
  }
}
