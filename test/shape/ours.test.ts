import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXPLANATIONS } from '../../scripts/shape/explained.ts'
import { runShape } from '../../scripts/shape/run.ts'
import type { CodeShape } from '../../scripts/shape/types.ts'

it('this code is within its limits (npm run shape says more)', () => {
  const { limits }: CodeShape = JSON.parse(runShape(join(import.meta.dirname, '../..'), ['--json'], EXPLANATIONS).text)
  const broken = limits.filter(({ is, atMost }) => is > atMost)
  expect(broken).toEqual([])
})
