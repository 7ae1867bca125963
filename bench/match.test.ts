import { describe, expect, it } from 'vitest'
import { benchMatch } from './match.ts'

describe('bench match', () => {
  it('measures engines that find the same', async () => {
    const figures = await benchMatch({ queries: [50, 300], corpora: '/nowhere', rounds: 5 })
    expect(figures).toMatchObject({
      naive: { agrees: true },
      fts5: { agrees: true },
      sizes: [{ queries: 50 }, { queries: 300 }],
    })
  })
})
