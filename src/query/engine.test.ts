import { describe, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import { BLANK_ITEM, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { type FeedArrival, type FeedMatch, QueryEngine } from './engine.ts'
import type { MatchItem, MatchSource } from './item/arrival.ts'
import { parseStatements } from './language/parse.ts'

const START = Date.UTC(2024, 5, 1)
const BARE: MatchItem = { ...BLANK_ITEM, firstSeenAt: START, sortAt: START }

function item(seq: number, source: string, fields: Partial<MatchItem>, minutes = seq): FeedArrival {
  const firstSeenAt = START + minutes * MINUTE_MS
  const from: MatchSource = {
    url: `https://${source}.org/`,
    name: source,
    title: null,
    feedCategories: [],
    categories: ['News'],
    language: null,
  }
  return { item: { ...BARE, seq, firstSeenAt, sortAt: firstSeenAt, ...fields }, source: from }
}

/** Every step goes through the engine and its specification. */
class Node {
  engine = new QueryEngine()
  readonly naive = new NaiveEngine()
  readonly text: string

  constructor(text: string) {
    this.text = text
    this.define()
  }

  define(): void {
    for (const { name, query } of queriesIn(this.text)) {
      this.engine.set(name, query)
      this.naive.set(name, query)
    }
  }

  /** `feed` or `feed 3 1` with the items that it is joined with. */
  process(arrival: FeedArrival): string[] {
    const found = matchTexts(this.engine.process(arrival))
    expect(matchTexts(this.naive.process(arrival))).toEqual(found)
    return found
  }

  restart(): void {
    this.engine = new QueryEngine()
    for (const { name, query } of queriesIn(this.text)) this.engine.set(name, query)
    for (const arrival of this.naive.archive()) this.engine.remember(arrival)
    this.engine.markFilled()
  }
}

function matchTexts(matches: readonly FeedMatch[]): string[] {
  return matches.map(({ feed, joined }) => [feed, ...joined].join(' ')).sort()
}

function queriesIn(text: string) {
  const parsed = parseStatements(text)
  if (!parsed.ok) throw new Error(parsed.errors[0]!.message)
  return parsed.value.flatMap((one) => (one.kind === 'create' ? [{ name: one.feed.name, query: one.query }] : []))
}

const titled = (seq: number, source: string, title: string, minutes = seq) => item(seq, source, { title }, minutes)
const itemWithLink = (seq: number, source: string, link: string) => item(seq, source, { link: `https://x.org/${link}` })

describe('JOIN', () => {
  it('keeps what some item of the last interval is like, and names those, the last first', () => {
    const node = new Node(
      'CREATE FEED f AS RETURN a AS $v JOIN LAST 3 HOURS ON b AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.6]',
    )
    expect(node.process(titled(1, 'b', 'Ash cloud over Iceland', 0))).toEqual([])
    node.process(titled(2, 'b', 'Football results', 60))
    node.process(titled(3, 'b', 'Ash cloud over Iceland grows', 100))
    expect(node.process(titled(4, 'a', 'ASH cloud, over Iceland!', 170))).toEqual(['f 3 1'])
    expect(node.process(titled(5, 'a', 'Ash cloud over Iceland', 181))).toEqual(['f 3'])
    expect(node.process(titled(6, 'a', 'Sea level', 182))).toEqual([])
  })

  it('NOT JOINED keeps what nothing is like, over the last n items', () => {
    const node = new Node('CREATE FEED f AS RETURN a NOT JOINED LAST 2 ITEMS ON b AS $w WITH LINK = $w.LINK')
    expect(node.process(itemWithLink(1, 'a', '1'))).toEqual(['f'])
    node.process(itemWithLink(2, 'b', '1'))
    expect(node.process(itemWithLink(3, 'a', '1'))).toEqual([])
    node.process(itemWithLink(4, 'b', '2'))
    node.process(itemWithLink(5, 'b', '3'))
    expect(node.process(itemWithLink(6, 'a', '1'))).toEqual(['f'])
    expect(node.process(itemWithLink(7, 'a', '3'))).toEqual([])
  })

  it('over a union: one window of all its feeds together, an item that comes by two of them once', () => {
    const node = new Node(`CREATE FEED f AS RETURN a JOIN LAST 2 ITEMS ON (b | c | g) AS $w WITH LINK = $w.LINK;
      CREATE FEED g AS RETURN c WHERE TITLE CONTAINS x`)
    node.process(itemWithLink(1, 'b', '1'))
    node.process(item(2, 'c', { title: 'x', link: 'https://x.org/1' }))
    expect(node.process(itemWithLink(3, 'a', '1'))).toEqual(['f 2 1'])
    node.process(itemWithLink(4, 'b', '2'))
    expect(node.process(itemWithLink(5, 'a', '1'))).toEqual(['f 2'])
    node.restart()
    expect(node.process(itemWithLink(6, 'a', '2'))).toEqual(['f 4'])
    expect(node.process(itemWithLink(7, 'a', '1'))).toEqual(['f 2'])
    node.process(itemWithLink(8, 'b', '3'))
    expect(node.process(itemWithLink(9, 'a', '1'))).toEqual([])
  })

  it('says of a union with a variable what it says of each of its feeds', () => {
    const node = new Node(`CREATE FEED f AS RETURN (a | b) AS $v | c AS $u
      JOIN LAST 1 HOUR ON d AS $w WITH $v[LINK = $w.LINK] WHERE $v[TITLE CONTAINS x]`)
    node.process(itemWithLink(1, 'd', '1'))
    const both = { title: 'x', link: 'https://x.org/1' }
    expect(node.process(item(2, 'a', both))).toEqual(['f 1'])
    expect(node.process(item(3, 'b', both))).toEqual(['f 1'])
    expect(node.process(item(4, 'b', { ...both, title: 'y' }))).toEqual([])
    expect(node.process(item(5, 'b', { ...both, link: null }))).toEqual([])
    expect(node.process(item(6, 'c', { title: 'y' }))).toEqual(['f'])
  })

  it('asks the other item what is in its brackets, and the item itself the rest', () => {
    const node = new Node(`CREATE FEED f AS RETURN a
      JOIN LAST 1 HOUR ON b AS $w WITH TITLE SIMILAR $w.TITLE AND $w[LANGUAGE = en] AND CATEGORY = "x"`)
    node.process(item(1, 'b', { title: 'Ash cloud', language: 'de' }))
    node.process(item(2, 'b', { title: 'Ash cloud', language: 'en-GB' }))
    expect(node.process(item(3, 'a', { title: 'Ash cloud', categories: ['X'] }))).toEqual(['f 2'])
    expect(node.process(item(4, 'a', { title: 'Ash cloud' }))).toEqual([])
  })

  it('does not concern a source that it compares nothing with', () => {
    const node = new Node(
      'CREATE FEED f AS RETURN a AS $v | b AS $u JOIN LAST 1 HOUR ON c AS $w WITH $v[LINK = $w.LINK] AND $w[TITLE CONTAINS x]',
    )
    expect(node.process(itemWithLink(1, 'a', '1'))).toEqual([])
    expect(node.process(itemWithLink(2, 'b', '1'))).toEqual(['f'])
  })

  it('never joins an item with itself', () => {
    const node = new Node('CREATE FEED f AS RETURN ALL JOIN LAST 1 HOUR ON ALL AS $w WITH LINK = $w.LINK')
    expect(node.process(itemWithLink(1, 'a', '1'))).toEqual([])
    expect(node.process(itemWithLink(1, 'a', '1'))).toEqual([])
    expect(node.process(itemWithLink(2, 'a', '1'))).toEqual(['f 1'])
  })

  it('reads other query feeds, on either side', () => {
    const node = new Node(`
      CREATE FEED ash AS RETURN b WHERE TITLE CONTAINS ash;
      CREATE FEED news AS RETURN a;
      CREATE FEED f AS RETURN news JOIN LAST 1 ITEM ON ash AS $w WITH TITLE SIMILAR $w.TITLE > 0.1`)
    expect(node.process(titled(1, 'b', 'ash cloud'))).toEqual(['ash'])
    expect(node.process(titled(2, 'b', 'cloud'))).toEqual([])
    expect(node.process(titled(3, 'a', 'cloud'))).toEqual(['f 1', 'news'])
  })

  it('names no more than a hundred partners, the last', () => {
    const node = new Node('CREATE FEED f AS RETURN a JOIN LAST 1 WEEK ON b AS $w WITH TITLE = $w.TITLE')
    for (let seq = 1; seq <= 150; seq++) node.process(titled(seq, 'b', 'same'))
    const [found] = node.process(titled(151, 'a', 'same'))
    expect(found!.split(' ').slice(1).map(Number)).toEqual(Array.from({ length: 100 }, (_, i) => 150 - i))
  })
})

describe('DISTINCT BY', () => {
  it.each([
    ['LINK', { link: 'https://x.org/1' }, { link: 'https://X.org/1' }, { link: 'https://x.org/2' }],
    ['TITLE', { title: 'Ash cloud!' }, { title: 'ash  CLOUD' }, { title: 'cloud ash' }],
    ['SIMILAR > 0.5', { title: 'one two three four' }, { title: 'four three two' }, { title: 'one two five' }],
  ])('%s keeps the first, while it is remembered', (by, first, alike, different) => {
    const node = new Node(`CREATE FEED f AS RETURN ALL DISTINCT BY ${by} LAST 1 DAY`)
    expect(node.process(item(1, 'a', first))).toEqual(['f'])
    expect(node.process(item(2, 'b', alike))).toEqual([])
    expect(node.process(item(3, 'b', different))).toEqual(['f'])
    expect(node.process(item(4, 'b', alike, (25 * HOUR_MS) / MINUTE_MS))).toEqual(['f'])
  })

  it('compares with what the feed holds, not with what it refused', () => {
    const node = new Node('CREATE FEED f AS RETURN ALL DISTINCT BY SIMILAR > 0.6')
    expect(node.process(titled(1, 'a', 'one two three four'))).toEqual(['f'])
    expect(node.process(titled(2, 'a', 'one two three four five'))).toEqual([])
    expect(node.process(titled(3, 'a', 'two three four five six'))).toEqual(['f'])
  })

  it('keeps an item that comes again after an edit, and knows it by its new title', () => {
    const node = new Node('CREATE FEED f AS RETURN ALL DISTINCT BY TITLE')
    expect(node.process(titled(1, 'a', 'old'))).toEqual(['f'])
    expect(node.process(titled(1, 'a', 'new'))).toEqual(['f'])
    expect(node.process(titled(2, 'b', 'new'))).toEqual([])
    expect(node.process(titled(3, 'b', 'old'))).toEqual(['f'])
  })
})

describe('what the engine remembers', () => {
  it('is the same after a restart', () => {
    const node = new Node(`
      CREATE FEED all-of-it AS RETURN ALL DISTINCT BY TITLE;
      CREATE FEED f AS RETURN a JOIN LAST 2 ITEMS ON all-of-it AS $w WITH TITLE SIMILAR $w.TITLE > 0`)
    node.process(titled(1, 'b', 'ash'))
    node.process(titled(2, 'b', 'ash'))
    node.process(titled(3, 'b', 'cloud'))
    node.restart()
    expect(node.process(titled(4, 'a', 'ash'))).toEqual(['f 1'])
    expect(node.process(titled(5, 'a', 'ash cloud'))).toEqual(['all-of-it', 'f 3 1'])
  })

  it('is asked for where a query needs more than is there, and no more than once', () => {
    const node = new Node('CREATE FEED f AS RETURN a JOIN LAST 2 HOURS ON CATEGORY "News" AS $w WITH LINK = $w.LINK')
    const needed = [
      { origins: [{ kind: 'category', category: 'News' }], window: { kind: 'time', lengthMs: 2 * HOUR_MS } },
    ]
    expect(node.engine.unfilled()).toEqual(needed)
    node.engine.markFilled()
    node.define()
    expect(node.engine.unfilled()).toEqual([])
  })

  it('is bounded by the windows, and shared by queries that remember the same', () => {
    const same = (n: number, similar: number) =>
      `CREATE FEED f${n} AS RETURN a JOIN LAST 50 ITEMS ON ALL AS $w WITH TITLE SIMILAR $w.TITLE > ${similar};`
    const node = new Node(same(1, 0.5) + same(2, 0.6) + same(3, 0.7))
    for (let seq = 1; seq <= 500; seq++) node.engine.process(titled(seq, 'a', `word${seq}`))
    expect(node.engine.remembered).toBe(50)
    for (const name of ['f1', 'f2', 'f3']) node.engine.remove(name)
    expect(node.engine.remembered).toBe(0)
  })

  it('goes with a feed that is dropped', () => {
    const node = new Node(`CREATE FEED b-news AS RETURN b;
      CREATE FEED f AS RETURN a JOIN LAST 2 DAYS ON b-news AS $w WITH LINK = $w.LINK`)
    node.process(itemWithLink(1, 'b', '1'))
    expect(node.process(itemWithLink(2, 'a', '1'))).toEqual(['f 1'])
    for (const engine of [node.engine, node.naive]) engine.remove('b-news')
    expect(node.process(itemWithLink(3, 'a', '1'))).toEqual([])
  })
})
