import { afterEach, expect, it } from 'vitest'
import { NOON } from '../support/published-items.ts'
import { storeItems } from '../support/publishing.ts'
import { itemOf, openReaderNode, type ReaderNode } from './reader-node.ts'

const UNREAD = 20_000
let node: ReaderNode
afterEach(() => node.close())

const READ = 'user/-/state/com.google/read'
/** How many each app asks for at a time, and in which way. */
const CLIENTS = [
  ['NetNewsWire', 1_000, ''],
  ['Reeder, Capy Reader, Read You', 10_000, ''],
  ['rssguard', 20_000, ''],
  ['small pages', 250, ''],
  ['some other, oldest first', 999, '&r=o'],
] as const

async function fill(from: number, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, count - at) }, (_, index) => from + at + index)
    const source = 1 + ((at / 1_000) % 3)
    await storeItems(
      node.data.store,
      source,
      numbers.map((number) => itemOf(7, number, { summary: null, firstSeenAt: NOON + number })),
    )
  }
}

it('20,000 unread items are paged by every app while new ones arrive: none is missing, none comes twice', async () => {
  node = await openReaderNode()
  await fill(100, UNREAD)
  let arrived = 100 + UNREAD
  const { store } = node.data
  const there = await store.lastItemSeq()
  expect(there).toBe(UNREAD + 6)
  for (const [client, pageSize, more] of CLIENTS) {
    const known = await store.lastItemSeq()
    const seen: number[] = []
    const search = `n=${pageSize}&xt=${READ}&s=user/-/state/com.google/reading-list${more}`
    let pages = 0
    for (let c: string | undefined = ''; c !== undefined; ) {
      const path: string = `/reader/api/0/stream/items/ids?${search}${c === '' ? '' : `&c=${c}`}`
      const { body } = await node.greader('GET', path)
      seen.push(...body.itemRefs.map(({ id }: { id: string }) => Number(id)))
      c = body.continuation
      if (++pages % 20 !== 1) continue
      await fill(arrived, 5)
      arrived += 5
    }
    expect(new Set(seen).size, `${client}: twice`).toBe(seen.length)
    expect(seen.filter((seq) => seq <= known).length, `${client}: missing`).toBe(known)
  }
})
