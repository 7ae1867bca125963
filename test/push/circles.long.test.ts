import { expect, it } from 'vitest'
import { HOUR_MS } from '../../src/model/index.ts'
import { runRing } from './ring.ts'

it.each([
  [2, 'addresses', (guid: string) => `https://site.example/${guid}`],
  [3, 'plain', (guid: string) => guid],
  [5, 'plain', (guid: string) => guid],
] as const)(
  'a circle of %i nodes publishes each item once in each feed over an hour; ids are %s',
  async (nodes, _, ids) => {
    const { items, published } = await runRing(nodes, HOUR_MS, ids)
    for (const titles of published) {
      expect(new Set(titles).size).toBe(items)
      expect(titles).toHaveLength(items)
    }
    console.log(`${nodes} nodes: ${items} items, ${published.flat().length} publications, 0 twice`)
  },
)
