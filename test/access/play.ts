import type { AccessTable } from '../../src/access/index.ts'
import { changeSomething, create } from './changes.ts'
import { lookAround, lookAtFeed } from './looks.ts'
import { World } from './world.ts'

export interface Played {
  readonly differences: readonly string[]
  readonly asked: number
}

const STEPS = 12

/** A random world, and some time in it; what the node did otherwise than the oracle says. */
export async function play(seed: number, table?: AccessTable): Promise<Played> {
  const world = await World.open(seed, table)
  try {
    for (let n = 0; n < 3; n++) await create(world)
    for (let step = 0; step < STEPS && world.differences.length === 0; step++) {
      await changeSomething(world)
      // At once, before anything was made anew.
      const name = world.feeds.size > 0 ? world.pick([...world.feeds.keys()]) : null
      if (name !== null && world.random() < 0.3) await lookAtFeed(world, world.pick(world.bearers), name)
      if (world.random() < 0.4) continue
      await world.settle()
      await lookAround(world)
    }
    const differences = world.differences.map((text) => `world ${seed}: ${text}`)
    return { differences, asked: world.asked }
  } finally {
    await world.stage.close()
  }
}
