import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NOON } from '../support/published-items.ts'
import { storeItems } from '../support/publishing.ts'
import { itemOf, openReaderNode, type ReaderNode } from './reader-node.ts'

const UNREAD = 20_000
/** After so many pages something new arrives. */
const NEW_EVERY = 20
const READ = 'user/-/state/com.google/read'
const LIST = 'user/-/state/com.google/reading-list'

let node: ReaderNode
let password: string
let feverKey: string
let arrived = 100
beforeAll(async () => {
  node = await openReaderNode()
  password = await node.passwordOf(node.owner.user)
  const { cookie } = node.owner
  const { body } = await node.ask('POST', '/api/tokens', { cookie, body: { scope: 'fever', label: 'Old phone' } })
  feverKey = createHash('md5').update(`owner:${body.secret}`).digest('hex')
  await fill(UNREAD)
  expect(await node.data.store.lastItemSeq()).toBe(UNREAD + 6)
})
afterAll(() => node.close())

/** By turns of the three sources. */
async function fill(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, left) }, () => arrived++)
    await storeItems(
      node.data.store,
      1 + (Math.floor(arrived / 1_000) % 3),
      numbers.map((number) => itemOf(7, number, { summary: null, firstSeenAt: NOON + number })),
    )
  }
}

interface Page {
  readonly seqs: readonly number[]
  /** undefined: this was the last. */
  readonly next: string | undefined
}

type ReadPage = (place: string) => Promise<Page>

const hexOf = (id: string) => Number.parseInt(id.slice(id.lastIndexOf('/') + 1), 16)

/** Ids by `c`. */
const byIds =
  (pageSize: number, more = '', stream = LIST): ReadPage =>
  async (place) => {
    const search = `n=${pageSize}&xt=${READ}&s=${stream}${more}${place === '' ? '' : `&c=${place}`}`
    const { body } = await node.greader('GET', `/reader/api/0/stream/items/ids?${search}`)
    return { seqs: body.itemRefs.map(({ id }: { id: string }) => Number(id)), next: body.continuation }
  }

/** Whole items by `c`. */
const byContents =
  (pageSize: number, mount = ''): ReadPage =>
  async (place) => {
    const search = `n=${pageSize}&xt=${READ}${place === '' ? '' : `&c=${place}`}`
    const { body } = await node.greader('GET', `${mount}/reader/api/0/stream/contents/${LIST}?${search}`)
    return { seqs: body.items.map(({ id }: { id: string }) => hexOf(id)), next: body.continuation }
  }

/** newsboat reads Atom; what goes on is named as Google named it. */
const byAtom =
  (pageSize: number, stream: string): ReadPage =>
  async (place) => {
    const path = `/reader/atom/${stream}?n=${pageSize}${place === '' ? '' : `&c=${place}`}`
    const { text } = await node.greader('GET', path)
    const seqs = [...text.matchAll(/<id>[^<]*item\/([0-9a-f]+)<\/id>/g)].map(([, id = '']) => Number.parseInt(id, 16))
    return { seqs, next: /<gr:continuation>([^<]+)</.exec(text)?.[1] }
  }

const byMiniflux =
  (pageSize: number): ReadPage =>
  async (place) => {
    const search = `status=unread&direction=asc&limit=${pageSize}&after_entry_id=${place || 0}`
    const headers = { 'x-auth-token': password }
    const { body } = await node.ask('GET', `/v1/entries?${search}`, { isBare: true, headers })
    const seqs: number[] = body.entries.map(({ id }: { id: number }) => id)
    return { seqs, next: seqs.length < pageSize ? undefined : String(seqs.at(-1)) }
  }

/** Fever gives fifty at a time, until there are none. */
const byFever: ReadPage = async (place) => {
  const { body } = await node.ask('POST', `/fever/?api&items&since_id=${place || 0}`, {
    isBare: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(`api_key=${feverKey}`),
  })
  const seqs: number[] = body.items.map(({ id }: { id: number }) => id)
  return { seqs, next: seqs.length === 0 ? undefined : String(seqs.at(-1)) }
}

interface Client {
  readonly name: string
  readonly page: ReadPage
  /** Of one feed alone; absent: of everything. */
  readonly sourceId?: number
}

/** How many each app asks for at a time, and in which way. */
const CLIENTS: readonly Client[] = [
  { name: 'NetNewsWire', page: byIds(1_000) },
  { name: 'Reeder, Capy Reader, Read You', page: byIds(10_000) },
  { name: 'rssguard', page: byIds(20_000) },
  { name: 'Liferea, of one feed', page: byIds(50, '', 'feed/2'), sourceId: 2 },
  { name: 'newsboat by Atom, of one feed', page: byAtom(100, 'feed%2F3'), sourceId: 3 },
  { name: 'Readrops', page: byContents(1_000) },
  { name: 'Fluent Reader', page: byContents(1_000, '/api/greader.php') },
  { name: 'a Miniflux app', page: byMiniflux(1_000) },
  { name: 'a Fever app', page: byFever },
  { name: 'some other, oldest first', page: byIds(999, '&r=o') },
]

it.each(CLIENTS)(
  '$name pages through 20,000 unread items while new ones arrive: none is missing, none comes twice',
  async ({ name, page, sourceId }) => {
    const { store } = node.data
    const scope = sourceId === undefined ? ({ kind: 'all' } as const) : ({ kind: 'source', sourceId } as const)
    const known = await store.seqsToRead(node.owner.user.id, { scope, isRead: false, limit: 100_000 })
    expect(known.length).toBeGreaterThan(sourceId === undefined ? UNREAD : UNREAD / 4)
    const seen: number[] = []
    for (let place: string | undefined = '', pages = 0; place !== undefined; pages++) {
      const { seqs, next }: Page = await page(place)
      seen.push(...seqs)
      place = next
      if (pages % NEW_EVERY === 0) await fill(5)
    }
    const all = new Set(seen)
    expect(all.size, `${name}: twice`).toBe(seen.length)
    expect(
      known.filter((seq) => !all.has(seq)),
      `${name}: missing`,
    ).toEqual([])
  },
)
