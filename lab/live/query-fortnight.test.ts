import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runQueryFortnight } from './query-fortnight.ts'

it('what queries keep and what feeds hold is known as it is: some days of a few sources', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-fortnight-'))
  const path = join(folder, 'headwater.db')
  const found = await runQueryFortnight({ days: 3, sources: 6, queries: 12, seed: 1, path })
  rmSync(folder, { recursive: true, force: true })
  expect(found.selectivity).toBeLessThan(1e-9)
  expect(found.items).toBe(0)
  expect(found.leastWeight).toBeGreaterThanOrEqual(1)
  // Few items are lost, and of which query is chance: 1 % is for a fortnight (query-fortnight.long.test.ts).
  expect(found.completeness).toBeLessThan(0.03)
  expect(found.pairs).toBeGreaterThan(20)
  expect(found.lost).toBeGreaterThan(0)
})
