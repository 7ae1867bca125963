import { expect, it } from 'vitest'
import { HOUR_MS } from '../../src/model/index.ts'
import { runRing } from './ring.ts'

it('two nodes that follow each other publish each item once, over an hour', async () => {
  const { items, published } = await runRing(2, HOUR_MS, (guid) => guid)
  for (const titles of published) {
    expect(new Set(titles).size).toBe(items)
    expect(titles).toHaveLength(items)
  }
})
