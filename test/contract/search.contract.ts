import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Adapter, ALL, addOne, newItem, record, START } from './store.fixture.ts'

const ITEMS = [
  newItem('climate', { title: 'Climate report', summary: 'The sea level rises', content: '<p>Glaciers melt</p>' }),
  newItem('football', { title: 'Football', content: 'At sea, the level of <b>play</b> rises &amp; falls' }),
  newItem('cafe', { title: 'Café Müller', authors: [{ name: 'Zoë Čapek', email: null, url: null }] }),
  newItem('strasse', { title: 'Straße nach Ostende', categories: ['Reise', 'Öffentlicher Verkehr'] }),
  newItem('tokyo', { title: '東京タワー', summary: 'e-mail: a.b@example.org' }),
  newItem('script', {
    title: 'Page',
    content: '<script>var hidden = 1</script><style>p{}</style><p title="x">shown</p>',
  }),
  newItem('greek', { title: 'ΟΔΥΣΣΕΥΣ', summary: 'Iñtërnâtiônàlizætiøn №5 ½' }),
  newItem('cyrillic', { title: 'Ёлка и Йод', content: 'x &lt; y &#233;t&#xe9;' }),
  newItem('empty', { title: null }),
]

/** [query, names of the items found, in words of their keys] */
const TABLE: readonly (readonly [string, readonly string[]])[] = [
  ['climate', ['climate']],
  ['CLIMATE report', ['climate']],
  ['climate football', []],
  ['sea level', ['climate', 'football']],
  ['"sea level"', ['climate']],
  ['"level of play"', ['football']],
  ['sea -climate', ['football']],
  ['rises -"sea level"', ['football']],
  ['-sea', ['cafe', 'strasse', 'tokyo', 'script', 'greek', 'cyrillic', 'empty']],
  ['-"sea level" -page -"tokyo"', ['football', 'cafe', 'strasse', 'tokyo', 'greek', 'cyrillic', 'empty']],
  ['cafe', ['cafe']],
  ['CAFÉ muller', ['cafe']],
  ['cafe\u0301', ['cafe']],
  ['capek', ['cafe']],
  ['strasse', ['strasse']],
  ['STRASSE', ['strasse']],
  ['offentlicher', ['strasse']],
  ['"ostende reise"', []],
  ['ostende reise', ['strasse']],
  ['glac*', ['climate']],
  ['glac', []],
  ['"sea lev*"', []],
  ['ost* -reise', []],
  ['東京', ['tokyo']],
  ['京タ', ['tokyo']],
  ['京東', []],
  ['e-mail', ['tokyo']],
  ['mail-e', []],
  ['example.org', ['tokyo']],
  ['hidden', []],
  ['shown', ['script']],
  ['title', []],
  ['οδυσσευς', ['greek']],
  ['internationalizætiøn', ['greek']],
  ['елка', ['cyrillic']],
  ['ete', ['cyrillic']],
  ['x y', ['cyrillic']],
  ['amp', []],
  ['AND', []],
  ['sea OR', []],
  ['NOT', []],
  ['title:climate', []],
  ['"', []],
  ['-', []],
  ['* ( ^ {', []],
  ["'", []],
  ['"unclosed phrase', []],
  ['"sea level', ['climate']],
  ['', ITEMS.map(({ key }) => nameOf(key))],
  ['  ', ITEMS.map(({ key }) => nameOf(key))],
]

function nameOf(key: string): string {
  return Buffer.from(key, 'hex').toString().replace(/\.+$/, '')
}

/** What a search finds, in any script, and that it is exact at any moment. */
export function describeSearch(adapter: Adapter): void {
  describe(`search: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    beforeAll(async () => {
      opening = await adapter.open()
      const source = await addOne(opening.store, 'http://a/', { categories: ['A'] })
      const newItems = ITEMS.map((item, index) => ({ ...item, sortAt: START - index }))
      await opening.store.recordRefresh(record(source, { newItems }))
    })
    afterAll(() => opening.end())

    it.each(TABLE)('%s', async (text, expected) => {
      const found = await opening.store.items({ scope: ALL, limit: 100, text })
      expect(found.map(({ key }) => nameOf(key))).toEqual(expected)
    })

    it('keeps order, scope, bounds and pages', async () => {
      const scope = { kind: 'category', category: 'A' } as const
      const [first] = await opening.store.items({ scope, limit: 1, text: 'sea' })
      expect(nameOf(first!.key)).toBe('climate')
      const [second] = await opening.store.items({ scope, limit: 1, text: 'sea', after: first! })
      expect(nameOf(second!.key)).toBe('football')
      expect(await opening.store.items({ scope, limit: 1, text: 'sea', after: second! })).toEqual([])
      expect(await opening.store.items({ scope, limit: 1, text: 'sea', until: START - 1 })).toEqual([])
      const nowhere = { kind: 'source', sourceId: 99 } as const
      expect(await opening.store.items({ scope: nowhere, limit: 1, text: 'sea' })).toEqual([])
    })

    it('finds a phrase among many items that have only its words', async () => {
      const source = await addOne(opening.store, 'http://many/')
      const decoys = Array.from({ length: 500 }, (_, index) =>
        newItem(`d${index}`, { title: 'needle hay stack', sortAt: START + index }),
      )
      const needle = newItem('needle', { title: 'hay needle', sortAt: START - 1 })
      await opening.store.recordRefresh(record(source, { newItems: [...decoys, needle] }))
      const found = await opening.store.items({ scope: ALL, limit: 5, text: '"hay needle"' })
      expect(found.map(({ title }) => title)).toEqual(['hay needle'])
      expect(await opening.store.items({ scope: ALL, limit: 1000, text: 'needle' })).toHaveLength(501)
    })
  })
}
