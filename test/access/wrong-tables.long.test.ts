import { describe, expect, it } from 'vitest'
import { noticedAfter } from './noticed.ts'
import { WRONG_TABLES } from './tables.ts'

describe('a table that is wrong in one place is noticed', { timeout: 3_600_000 }, () => {
  it.each(WRONG_TABLES.map(({ words, table }) => [words, table] as const))('%s', async (_words, table) => {
    expect(await noticedAfter(table)).not.toBeNull()
  })
})
