import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../src/model/index.ts'
import { addOne, memoryAdapter, newItem, record, START } from '../test/contract/store.fixture.ts'
import { collectedFrom } from './collected.ts'

describe('the archive of a node as a collection', () => {
  it('gives the times of every source, ascending, over more than one page, with what is known of it', async () => {
    const { store } = await memoryAdapter.open()
    const busy = await addOne(store, 'https://example.org/busy', { name: 'Busy', categories: ['News'] })
    await addOne(store, 'https://example.org/silent')
    const sortAts = Array.from({ length: 1_203 }, (_, k) => START + Math.floor(k / 2) * HOUR_MS)
    const newItems = sortAts.map((sortAt, k) => newItem(`item ${k}`, { sortAt, categories: [k % 2 ? 'odd' : 'even'] }))
    await store.recordRefresh(record(busy, { newItems }))
    const [first, second] = await collectedFrom(store)
    expect(first).toEqual({
      id: String(busy.id),
      times: sortAts,
      description: {
        title: 'Busy',
        url: 'https://example.org/busy',
        feedCategories: ['News'],
        itemCategories: expect.arrayContaining(['even', 'odd']),
      },
    })
    expect(second!.times).toEqual([])
  })
})
