import type { AccessTable } from '../../src/access/index.ts'
import { changeSomething } from './changes.ts'
import { begin } from './feed-changes.ts'
import { lookAtFeed } from './feed-looks.ts'
import { lookAtNode } from './node-looks.ts'
import { AccessWorld } from './world.ts'

export interface PlayResult {
  readonly differences: readonly string[]
  readonly requests: number
}

const STEPS = 8

/** A random world, and some time in it; what the node did otherwise than the oracle says. */
export async function play(seed: number, table?: AccessTable): Promise<PlayResult> {
  const world = await AccessWorld.open(seed, table)
  try {
    await begin(world)
    for (let step = 0; step < STEPS && world.differences.length === 0; step++) {
      await changeSomething(world)
      // At once, before anything was rebuilt.
      if (world.random() < 0.3) await lookAtSome(world)
      if (world.random() < 0.4) continue
      await world.settle()
      await lookAtSome(world)
      await lookAtNode(world, world.pick(world.bearers))
    }
    // What listeners received; they request nothing, so nothing may be named.
    for (const { who, stream } of world.listeners) world.listen(who, 'events', stream.text())
    return { differences: world.differences.map((text) => `world ${seed}: ${text}`), requests: world.requests }
  } finally {
    for (const { stream } of world.listeners) stream.close()
    await world.stage.close()
  }
}

async function lookAtSome(world: AccessWorld): Promise<void> {
  if (world.feeds.size === 0) return
  const name = world.pick([...world.feeds.keys()])
  const holders = world.bearers.filter(({ only }) => only === name)
  const who = holders.length > 0 && world.random() < 0.5 ? world.pick(holders) : world.likely(world.feeds.get(name))
  await lookAtFeed(world, who, name)
}
