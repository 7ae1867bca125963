import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runQueryFortnight } from './query-fortnight.ts'

it('over a fortnight, selectivity and completeness of 50 random queries are within 1 % of what is exact', {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-fortnight-'))
  const path = join(folder, 'headwater.db')
  const found = await runQueryFortnight({ days: 14, sources: 20, queries: 50, seed: 1, path })
  rmSync(folder, { recursive: true, force: true })
  console.log(found)
  expect(found.selectivity).toBeLessThan(0.01)
  expect(found.completeness).toBeLessThan(0.01)
  expect(found.items).toBe(0)
  expect(found.leastWeight).toBeGreaterThanOrEqual(1)
  expect(found.feeds).toBe(50)
  expect(found.lost).toBeGreaterThan(500)
})
