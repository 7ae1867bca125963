import { type DurationMs, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { poissonTimes } from './poisson.ts'
import { sourceRandom } from './priced-run.ts'
import type { PushEvent } from './scheduled-run.ts'
import type { SimSource, SimWorld } from './world.ts'

/** A simulated hub. */
interface SimHub {
  /** Share of the items that it tells of. */
  readonly recall: number
  /** False pushes for each true one, at any time. */
  readonly falsePerTrue: number
  /** From publication to the push. */
  readonly delayMs: DurationMs
  /** From then on it says nothing, and nobody is told so; null: it lives. */
  readonly diesAt: InstantMs | null
}

/** What a hub says of these sources, ascending. Each source has its own chance: one more of them moves no other. */
export function drawPushes(
  sources: readonly SimSource[],
  hub: SimHub,
  { startMs, endMs }: Pick<SimWorld, 'startMs' | 'endMs'>,
  seed: number,
): PushEvent[] {
  const untilMs = hub.diesAt ?? endMs
  const events = sources.flatMap(({ id, times }) => {
    const random = sourceRandom(seed, id)
    const published = [...times].filter((at) => at >= startMs && at < endMs)
    const announced = published.filter(() => random() < hub.recall).map((at) => at + hub.delayMs)
    // What is told of within a minute counts as one.
    const minutes = new Set(announced.map((at) => Math.floor(at / MINUTE_MS)))
    const perMs = (hub.falsePerTrue * minutes.size) / (endMs - startMs)
    const invented = perMs > 0 ? [...poissonTimes(perMs, startMs, endMs, random)] : []
    return [...announced, ...invented].filter((at) => at < untilMs).map((at) => ({ at, id }))
  })
  return events.sort((a, b) => a.at - b.at || a.id - b.id)
}
