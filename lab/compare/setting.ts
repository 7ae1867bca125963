import { basename, dirname } from 'node:path'
import { entryAt } from '../../src/model/entry-at.ts'
import type { Random } from '../../src/model/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { Trace } from '../worlds/trace.ts'
import { type Arena, arenaOf } from './arena.ts'
import type { Dates } from './dates.ts'
import { lastTrace } from './last-trace.ts'
import { traceWorld } from './trace-world.ts'
import { traceFile } from './traces.ts'

/** The world in which policies are compared. */
export interface CompareSetting {
  /** Path of the trace. */
  readonly trace: string
  readonly window: number
  readonly dates: Dates
  /** So many sources of the trace, drawn with the seed; null: all. */
  readonly sources: number | null
}

export async function arenaFor(setting: CompareSetting, seed: number): Promise<Arena> {
  return arenaOf(worldFor(await lastTrace(setting.trace), setting, seed), seed)
}

export function worldFor(trace: Trace, { window, dates, sources }: Omit<CompareSetting, 'trace'>, seed: number) {
  return traceWorld(sources === null ? trace : sampleSources(trace, sources, seededRandom(seed)), window, {
    dates,
    seed,
  })
}

/** The larger of two draws with one seed holds the smaller. Sources stay in their order. */
function sampleSources({ sources }: Trace, count: number, random: Random): Trace {
  const order = sources.map((_, index) => index)
  for (let k = 0; k < Math.min(count, order.length - 1); k++) {
    const other = k + Math.floor(random() * (order.length - k))
    ;[order[k], order[other]] = [order[other] ?? 0, order[k] ?? 0]
  }
  const chosen = order.slice(0, count).sort((a, b) => a - b)
  return { sources: chosen.map((index) => entryAt(sources, index)) }
}

/** A trace is known by its file, or by its folder where all files are called alike. */
export function traceName(path: string): string {
  const { file, isSlow } = traceFile(path)
  const name = basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.csv$/, '')
  const folder = basename(dirname(file))
  const known = name === 'trace' && folder !== '' && folder !== '.' ? folder : name
  return isSlow ? `${known}, slow` : known
}
