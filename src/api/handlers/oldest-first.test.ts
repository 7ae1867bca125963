import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ItemPosition } from '../../store/item-heads.ts'
import type { ItemQuery, Store } from '../../store/store.ts'
import { ALL_TIMES, oldestFirst } from './oldest-first.ts'

const newestFirst = (a: ItemPosition, b: ItemPosition) => b.sortAt - a.sortAt || b.seq - a.seq

/** A store of positions that gives them newest first, as all stores do. */
function storeOf(items: readonly ItemPosition[]): Pick<Store, 'itemPositions'> {
  return {
    itemPositions: async ({ since = -Infinity, until = Infinity, after, limit }: ItemQuery) =>
      items
        .filter(({ sortAt }) => sortAt >= since && sortAt < until)
        .filter((item) => after === undefined || newestFirst({ ...after, sourceId: 1 }, item) < 0)
        .toSorted(newestFirst)
        .slice(0, limit),
  }
}

async function pagesOf(store: Pick<Store, 'itemPositions'>, limit: number, span = ALL_TIMES): Promise<ItemPosition[]> {
  const all: ItemPosition[] = []
  for (let turn = 0; turn < 1_000; turn++) {
    const page = await oldestFirst({ scope: { kind: 'all' } }, { span, after: all.at(-1) ?? null, limit }, store)
    all.push(...page.items)
    if (page.isLast) return all
    expect(page.items.length).toBeGreaterThan(0)
  }
  throw new Error('no end')
}

const moments = fc.oneof(
  fc.integer({ min: -100, max: 100 }),
  fc.constant(7),
  fc.integer({ min: -8_640_000_000_000_000, max: 8_639_999_999_999_999 }),
)

it('gives every item once, the oldest first, however they lie in time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moments, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (times, limit) => {
      const items = times.map((sortAt, i) => ({ seq: i + 1, sourceId: 1, sortAt }))
      const expected = items.toSorted(newestFirst).reverse()
      expect(await pagesOf(storeOf(items), limit)).toEqual(expected)
    }),
  )
})

it('keeps to a span, and goes on where one moment holds more than a page', async () => {
  const items = Array.from({ length: 40 }, (_, i) => ({ seq: i + 1, sourceId: 1, sortAt: i < 30 ? 500 : 1_000 + i }))
  const found = await pagesOf(storeOf(items), 4, { since: 500, until: 1_035 })
  expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: 35 }, (_, i) => i + 1))
})
