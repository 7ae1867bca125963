import type { Demo } from '../../src/cli/commands/serve.ts'
import { demoPlans } from '../worlds/demo.ts'

/** Where the world of the demo listens, if it is free: sources of an earlier demo then stay alive. */
export const DEMO_PORT = 8099

/** The feeds of the world at a port, as sources. */
export function demoSources(port: number): Demo['sources'] {
  return demoPlans().map(({ title, category, habits }, index) => ({
    url: `http://feed-${index}.localhost:${port}/feed.${habits.format === 'json-1.1' ? 'json' : 'xml'}`,
    name: title,
    categories: category === null ? [] : [category],
  }))
}
