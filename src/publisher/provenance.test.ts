import { describe, expect, it } from 'vitest'
import { aFeed, aPublishedItem } from '../../test/support/published-items.ts'
import { parseFeed } from '../crawler/parse/parse.ts'
import { type Item, PROVENANCE } from '../model/index.ts'
import { itemOrigin, nodeIdOf, nodesPassed, onceEach } from '../store/provenance.ts'
import { renderAtom } from './formats/atom.ts'
import { renderJsonFeed } from './formats/json-feed.ts'
import { renderRss } from './formats/rss.ts'
import { presentItem, presentItems } from './present.ts'
import type { PublishedFeed } from './published-feed.ts'

const FORMATS = { rss: renderRss, atom: renderAtom, json: renderJsonFeed }
const [A, B] = [nodeIdOf('a'), nodeIdOf('b')]

/** The item as a node reads it in the feed of another. */
function throughNode(item: Partial<Item>, nodeId: string, render: (typeof FORMATS)['rss']): Item {
  const published = aPublishedItem(item)
  const feed: PublishedFeed = aFeed([published])
  const text = render(feed, (items) => presentItems(items, (one) => presentItem(one, null, nodeId)))
  const [parsed] = parseFeed(Buffer.from(text)).items
  if (parsed === undefined) throw new Error('the item is in the feed')
  return { ...published.item, ...parsed, key: 'another' }
}

describe.each(Object.entries(FORMATS))('provenance in %s', (_, render) => {
  it('goes from node to node: the origin stays, the path grows', () => {
    const first = aPublishedItem({ id: 'urn:x' })
    const origin = itemOrigin(first.item, first.source.url)
    expect(origin.isClaimed).toBe(false)
    const once = throughNode({ id: 'urn:x' }, A, render)
    expect([itemOrigin(once, 'http://node-a/'), nodesPassed(once)]).toEqual([{ id: origin.id, isClaimed: true }, [A]])
    const twice = throughNode(once, B, render)
    expect([itemOrigin(twice, 'http://node-b/').id, nodesPassed(twice)]).toEqual([origin.id, [A, B]])
  })

  it('is not said where no node is named', () => {
    const text = render(aFeed([aPublishedItem()]))
    expect(text).not.toMatch(/headwater:(origin|path)|urn:headwater:provenance|"origin"/)
  })
})

describe('an origin', () => {
  it('is the same at nodes that have the same source, by whatever scheme and log-in', () => {
    const { item } = aPublishedItem()
    const ids = ['https://s.example/f?a', 'http://u:p@s.example/f?a'].map((url) => itemOrigin(item, url).id)
    expect(new Set(ids).size).toBe(1)
    expect(itemOrigin(item, 'https://s.example/g').id).not.toBe(ids[0])
  })

  it.each(['', 'short', 'x'.repeat(23), '<script>aaaaaaaaaaaaaa', 'é'.repeat(22)])('is not taken from %s', (claim) => {
    const { item } = aPublishedItem({ extensions: { [PROVENANCE.origin]: claim } })
    expect(itemOrigin(item, 'https://s.example/f').isClaimed).toBe(false)
  })

  it('travels with sixteen nodes at most', () => {
    const nodes = Array.from({ length: 40 }, (_, n) => nodeIdOf(String(n)))
    const { item } = aPublishedItem({ extensions: { [PROVENANCE.path]: `${nodes.join(' ')} nonsense` } })
    expect(nodesPassed(item)).toEqual(nodes.slice(-16))
  })

  it('is published once of what comes together, rather from its source', () => {
    const one = (itemSeq: number, isClaimed: boolean, id = 'o', feedId = 1) => ({
      feedId,
      version: 1,
      itemSeq,
      joined: [],
      origin: { id, isClaimed },
    })
    const given = [
      one(1, true),
      one(2, true),
      one(3, false),
      one(4, true, 'p'),
      one(5, true, 'p'),
      one(6, true, 'o', 2),
    ]
    expect(onceEach(given).map(({ itemSeq }) => itemSeq)).toEqual([3, 4, 6])
  })
})
