import type { Demo } from '../../src/cli/commands/serve.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { startDemoWorld } from './demo.ts'
import { DEMO_QUERIES } from './demo-queries.ts'
import type { World } from './world.ts'

// The same port each time keeps the sources of an earlier demo alive; any other does when it is taken.
const USUAL_PORT = 8099
const DEMO_SEED = 7

/** The demo world as `headwater serve --demo` wants it. */
export async function startDemoForServe({ clock }: Pick<CliContext, 'clock'>): Promise<Demo> {
  const world = await startDemoWorld(clock, DEMO_SEED, { port: USUAL_PORT }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return startDemoWorld(clock, DEMO_SEED)
  })
  return { opmlUrl: world.opmlUrl, sources: sourcesOf(world), queries: DEMO_QUERIES, close: () => world.close() }
}

function sourcesOf(world: World): Demo['sources'] {
  return Array.from({ length: world.feedCount }, (_, index) => {
    const { title, category } = world.plan(index)
    return { url: world.feedUrl(index), name: title, categories: category === null ? [] : [category] }
  })
}
