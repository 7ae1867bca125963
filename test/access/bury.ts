import type { AccessWorld, Bearer } from './world.ts'

/** From this moment on they open nothing, and hear nothing more. */
export async function bury(world: AccessWorld, dead: readonly Bearer[], why: string): Promise<void> {
  world.bearers = world.bearers.filter((one) => !dead.includes(one))
  for (const one of dead.filter(({ account }) => account !== null)) {
    const answer = await world.ask(one, 'GET', '/api/tokens')
    world.check(answer.status === 401, `${one.words} is out, because ${why}`, answer)
  }
  for (const { who, stream } of world.listeners.filter((one) => dead.includes(one.who)))
    if (!(await stream.ends())) world.differences.push(`${who.words} goes on hearing events, though ${why}`)
}
