import { SHARDS } from '../../../src/cluster/shards.ts'
import { DAY_MS } from '../../../src/model/index.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../../src/refresh/strategy.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { shardOf } from '../../../src/store/shards.ts'
import { worldFor } from '../../compare/setting.ts'
import { countPublishedBy } from '../../simulator/world.ts'
import { readTraceSet } from '../../traces/trace-set.ts'
import type { Trace } from '../../worlds/trace.ts'
import { CONFIG, type ScaleSettings, type TraceSettings } from './config.ts'
import type { ScaleScene } from './measure.ts'
import { scaleWorld } from './scale-world.ts'

/** Recorded feeds: each is a site of its own. */
export function traceScene({ days }: TraceSettings, seed: number): () => Promise<ScaleScene> {
  return async () => sceneOf(await readTraceSet(CONFIG.trace.set), days, seed)
}

function sceneOf(trace: Trace, days: number, seed: number): ScaleScene {
  const { set, windowSize, crawlers, perDay, learningMs } = CONFIG.trace
  const setting = { window: windowSize, dates: 'recorded', sources: null } as const
  const whole = worldFor(trace, setting, seed)
  const measuredFromMs = whole.startMs + learningMs
  const learnt = whole.sources.map(({ times }) => times.subarray(0, countPublishedBy(times, measuredFromMs - 1)))
  return {
    name: `${set.name}, ${whole.sources.length} feeds`,
    world: { ...whole, endMs: whole.startMs + days * DAY_MS },
    strategy: foresight({ tables: learnTables(learnt, seededRandom(seed)) }) as AnyPricedStrategy,
    membership: {
      siteOf: ({ id }) => id,
      shardOf: ({ id }) => shardOf(`https://site-${id}.example/`, SHARDS),
    },
    crawlers,
    perDay,
    learningMs,
    seed,
  }
}

/** A sample of the synthetic world, with its share of the budget. */
export function sampleScene({ synthetic }: ScaleSettings, oneOf: number, seed: number): ScaleScene {
  const { sources, crawlers } = synthetic
  const { perDay, days, learningMs } = CONFIG.synthetic
  const world = scaleWorld({ sources, oneOf, days, perDay, seed })
  return {
    name: `1 of ${oneOf} sites, ${world.sources.length} feeds`,
    world,
    strategy: world.strategy,
    knownOf: world.knownOf,
    membership: world,
    crawlers,
    perDay,
    learningMs,
    seed,
  }
}
