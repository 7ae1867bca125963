import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../model/index.ts'
import { words } from '../../store/text/fold.ts'
import type { MatchItem, MatchSource } from '../item/arrival.ts'
import { loadLanguageDetector } from '../item/language.ts'
import { spelledWords } from '../item/stem.ts'
import { parseQuery } from '../language/parse.ts'
import { Matcher } from './matcher.ts'
import { matchesNaively } from './naive.ts'

const NOW = Date.UTC(2024, 5, 1, 12)
const ITEM: MatchItem = {
  id: null,
  title: 'Ash cloud over Europe',
  link: 'https://example.org/ash/1',
  published: NOW - DAY_MS,
  updated: null,
  authors: [{ name: 'Jóhanna Sigurðardóttir', email: 'j@example.org', url: null }],
  categories: ['Sea  Level', 'Volcano'],
  summary: '<p>Flights are <b>can</b>celled. The volcanoes of ICELAND&nbsp;erupt; see-saw</p>',
  content: null,
  enclosures: [{ url: 'https://example.org/ash.jpg', type: 'image/jpeg', lengthBytes: null }],
  language: null,
  commentsUrl: null,
  image: null,
  extensions: null,
  firstSeenAt: NOW,
  sortAt: NOW - DAY_MS,
}
const SOURCE: MatchSource = {
  url: 'https://news.example.org/rss',
  formerUrls: ['https://old.example.org/rss'],
  name: 'news',
  title: 'The Example News',
  categories: ['News/World'],
  feedCategories: ['Weather & Climate'],
  language: 'en-GB',
}

/** Both engines must say the same. */
function matches(text: string, item: Partial<MatchItem> = {}, source: Partial<MatchSource> = {}): boolean {
  const parsed = parseQuery(text)
  if (!parsed.ok) throw new Error(parsed.errors[0]!.message)
  const arrival = { item: { ...ITEM, ...item }, source: { ...SOURCE, ...source } }
  const matcher = new Matcher()
  matcher.add('q', parsed.value)
  const naive = matchesNaively(parsed.value, arrival)
  expect(matcher.match(arrival.item, arrival.source)).toEqual(naive ? ['q'] : [])
  return naive
}

describe('a predicate holds', () => {
  it.each([
    ['ITEM CONTAINS "iceland"', true],
    ['ITEM CONTAINS "ice"', false],
    ['ITEM CONTAINS "johanna"', true],
    ['TITLE CONTAINS "iceland"', false],
    ['DESCRIPTION CONTAINS "iceland erupt"', true],
    ['CONTENT CONTAINS "iceland"', true],
    ['ITEM CONTAINS "europe flights"', false],
    ['ITEM CONTAINS "erupt iceland"', false],
    ['ITEM CONTAINS "see saw"', true],
    ['ITEM CONTAINS "see" AND "saw" AND NOT "sea"', false],
    ['ITEM CONTAINS "volcano"', true],
    ['DESCRIPTION CONTAINS "volcano"', false],
    ['DESCRIPTION CONTAINS STEMMED "volcano"', true],
    ['DESCRIPTION CONTAINS STEMMED "flight"', true],
    ['DESCRIPTION CONTAINS STEMMED "volcano of iceland"', true],
    ['DESCRIPTION CONTAINS STEMMED "iceland volcano"', false],
    ['CATEGORY = "VOLCANO"', true],
    ['CATEGORY = "sea-level"', true],
    ['CATEGORY = "sea"', false],
    ['CATEGORY CONTAINS "sea"', true],
    ['CATEGORY IN ("x", "volcano")', true],
    ['AUTHOR = "johanna sigurðardottir"', true],
    ['AUTHOR = "J@EXAMPLE.org"', true],
    ['AUTHOR CONTAINS "johanna"', true],
    ['LINK = "https://EXAMPLE.org/ash/1"', true],
    ['LINK CONTAINS "ash"', true],
    ['LINK MATCHES /ash\\/[0-9]$/', true],
    ['LINK MATCHES /ASH/', false],
    ['TITLE MATCHES /^ASH.*europe$/i', true],
    ['LANGUAGE = "en"', true],
    ['LANGUAGE = "en-gb"', true],
    ['LANGUAGE = "en-us"', false],
    ['LANGUAGE IN (de, fr)', false],
    ['SOURCE = "news"', true],
    ['SOURCE = "the example NEWS"', true],
    ['SOURCE = "https://news.example.org/rss"', true],
    ['SOURCE = "HTTPS://news.EXAMPLE.org:443/rss#top"', true],
    ['SOURCE = "https://old.example.org/rss"', true],
    ['SOURCE CONTAINS "example"', true],
    ['SOURCE = "example"', false],
    ['ENCLOSURE = "image/*"', true],
    ['ENCLOSURE = "image/jpeg"', true],
    ['ENCLOSURE = "audio/*"', false],
    ['ENCLOSURE MATCHES /\\.jpg$/', true],
    ['COUNT(ENCLOSURE) > 0', true],
    ['COUNT(ENCLOSURE) > 1', false],
    ['COUNT(CATEGORY) = 2', true],
    ['SOURCE CATEGORY = "weather climate"', true],
    ['SOURCE CATEGORY = "Weather"', false],
    ['SOURCE CATEGORY CONTAINS weather', true],
    ['SOURCE CATEGORY = "News"', true],
    ['SOURCE CATEGORY = "news/world"', true],
    ['SOURCE CATEGORY = "World"', false],
    ['SOURCE CATEGORY IN ("sport", "news")', true],
    ['SOURCE CATEGORY != "sport"', true],
    ['SOURCE CATEGORY MATCHES /^Weather/', true],
    ['SOURCE CATEGORY CONTAINS volcano', false],
    ['CATEGORY = "News"', false],
    ['SOURCE CONTAINS climate', false],
    ['ITEM CONTAINS climate', false],
    ['COUNT(SOURCE CATEGORY) = 3', true],
    ['COUNT(TITLE) >= 4 AND COUNT(TITLE) < 5', true],
    ['PUBLISHED = 2024-05-31', true],
    ['PUBLISHED > 2024-05-31', false],
    ['PUBLISHED >= 2024-05-31', true],
    ['PUBLISHED <= 2024-05', true],
    ['PUBLISHED < 2024-05', false],
    ['PUBLISHED < "2024-05-31T14:01+02:00"', true],
    ['PUBLISHED < "2024-05-31T14:00+02:00"', false],
    ['PUBLISHED IN LAST 24 HOURS', true],
    ['PUBLISHED IN LAST 23 HOURS', false],
    ['PUBLISHED < 20 HOURS AGO', true],
    ['NOT ITEM CONTAINS "iceland"', false],
    ['TITLE NOT CONTAINS "iceland"', true],
    ['TITLE = "ASH cloud, over europe!"', true],
  ])('%s: %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  it.each([
    ['https://news.example.org/rss', true],
    [' https://News.Example.org:443/a/../rss#fragment', true],
    ['https://old.example.org/rss', true],
    ['https://old.example.org/rss?page=1', false],
    ['http://news.example.org/rss', false],
  ])('of items from the source "%s": %s', (address, expected) => {
    expect(matches(`RETURN "${address}"`)).toBe(expected)
  })

  it('in full content only where there is some', () => {
    expect(matches('DESCRIPTION CONTAINS "lava"', { content: 'lava' })).toBe(false)
    expect(matches('CONTENT CONTAINS "lava"', { content: '<p>lava' })).toBe(true)
    expect(matches('CONTENT CONTAINS "iceland"', { content: '<p>lava' })).toBe(false)
  })

  it('for stems as the language of the item has them, with or without accents', () => {
    const russian = { language: 'ru', title: 'Новые вулканы' }
    expect(matches('TITLE CONTAINS STEMMED "новый вулкан"', russian)).toBe(true)
    expect(matches('TITLE CONTAINS STEMMED "новая"', russian)).toBe(true)
    expect(matches('TITLE CONTAINS STEMMED "general"', { language: 'fr', title: 'Les généraux' })).toBe(true)
    expect(matches('TITLE CONTAINS STEMMED "general"', { language: 'xx', title: 'Les généraux' })).toBe(false)
    expect(matches('TITLE CONTAINS STEMMED "Haus"', { language: 'de-AT', title: 'Häuser' })).toBe(true)
  })
})

describe('sources and variables', () => {
  const GUARDIAN = { url: 'http://feeds.guardian.co.uk/theguardian/rss' }
  const PICTURE = { url: 'http://www.boston.com/bigpicture/index.xml' }
  const thesis = `CREATE FEED IceVolEruFeed AS
    RETURN "${GUARDIAN.url}" AS $guardian | "${PICTURE.url}" AS $picture
    WHERE $guardian[ITEM CONTAINS "iceland" OR ITEM CONTAINS "volcano" OR ITEM CONTAINS "eruption"] AND
          $picture[CATEGORY = "iceland" OR CATEGORY = "volcano" OR CATEGORY = "eruption"];`
  const inText = { title: 'Iceland wakes', categories: [], summary: null }
  const inCategories = { title: 'Big pictures', categories: ['Eruption'], summary: null }

  it('thesis 1.3: each source by its own predicate', () => {
    expect(matches(thesis, inText, GUARDIAN)).toBe(true)
    expect(matches(thesis, inText, PICTURE)).toBe(false)
    expect(matches(thesis, inCategories, PICTURE)).toBe(true)
    expect(matches(thesis, { ...inCategories, categories: ['Sport'] }, GUARDIAN)).toBe(false)
    expect(matches(thesis, inText, { url: 'https://else.org/' })).toBe(false)
  })

  it('2010: one filter over the union', () => {
    const query = `RETURN "${GUARDIAN.url}" | "${PICTURE.url}" WHERE ITEM CONTAINS "iceland" OR "volcano" OR "eruption"`
    for (const source of [GUARDIAN, PICTURE]) {
      expect(matches(query, inText, source)).toBe(true)
      expect(matches(query, { title: 'Sport', categories: [], summary: null }, source)).toBe(false)
    }
  })

  it('OR between variables filters each source too; a source that no predicate names matches whole', () => {
    const query = (join: string) =>
      `RETURN "${GUARDIAN.url}" AS $g | "${PICTURE.url}" AS $p | news AS $n WHERE $g[TITLE CONTAINS a] ${join} $p[TITLE CONTAINS b]`
    for (const join of ['AND', 'OR']) {
      expect(matches(query(join), { title: 'a' }, { ...GUARDIAN, name: null })).toBe(true)
      expect(matches(query(join), { title: 'b' }, { ...GUARDIAN, name: null })).toBe(false)
      expect(matches(query(join), { title: 'b' }, { ...PICTURE, name: null })).toBe(true)
      expect(matches(query(join), { title: 'c' })).toBe(true)
    }
  })

  it('a predicate without a variable is for all sources', () => {
    const query = `RETURN "${GUARDIAN.url}" AS $g | news AS $n WHERE $g[TITLE CONTAINS a] AND TITLE CONTAINS b`
    expect(matches(query, { title: 'b' })).toBe(true)
    expect(matches(query, { title: 'b' }, { ...GUARDIAN, name: null })).toBe(false)
    expect(matches(query, { title: 'a b' }, { ...GUARDIAN, name: null })).toBe(true)
  })

  it('a category holds its folders', () => {
    expect(matches('RETURN CATEGORY "news"')).toBe(true)
    expect(matches('RETURN CATEGORY "News/World"')).toBe(true)
    expect(matches('RETURN CATEGORY "World"')).toBe(false)
  })
})

describe('the matcher', () => {
  const query = (text: string) => {
    const parsed = parseQuery(text)
    if (!parsed.ok) throw new Error(parsed.errors[0]!.message)
    return parsed.value
  }

  it('touches only queries that the item gives reason to', () => {
    const matcher = new Matcher()
    for (let i = 0; i < 1_000; i++)
      matcher.add(`other${i}`, query(`ITEM CONTAINS "word${i}" OR TITLE CONTAINS "term${i}"`))
    matcher.add('both', query('ITEM CONTAINS "cloud" AND "zeppelin"'))
    matcher.add('hit', query('TITLE CONTAINS "cloud" AND ITEM CONTAINS "iceland"'))
    expect(matcher.match(ITEM, SOURCE)).toEqual(['hit'])
    expect(matcher.lastCost).toMatchObject({ candidates: 1, matches: 1 })
    expect(matcher.size).toMatchObject({ queries: 1_002, alwaysChecked: 0 })
  })

  it('counts queries that it must ask for every item', () => {
    const matcher = new Matcher()
    matcher.add('not', query('NOT ITEM CONTAINS "cloud"'))
    matcher.add('pattern', query('TITLE MATCHES /cloud/'))
    matcher.add('keyed', query('TITLE MATCHES /cloud/ AND ITEM CONTAINS "ash"'))
    matcher.add('one source', query('RETURN "https://x.org/" WHERE NOT ITEM CONTAINS "cloud"'))
    expect(matcher.size.alwaysChecked).toBe(2)
    expect(matcher.match(ITEM, SOURCE).sort()).toEqual(['keyed', 'pattern'])
    expect(matcher.lastCost.tests).toBe(1)
  })

  it('detects a language only when a query asks for one and the feed does not say', async () => {
    const detectLanguage = await loadLanguageDetector()
    const matcher = new Matcher({ detectLanguage })
    matcher.add('plain', query('ITEM CONTAINS "cloud"'))
    expect(matcher.needsLanguage).toBe(false)
    matcher.add('english', query('LANGUAGE = en'))
    matcher.add('french', query('LANGUAGE = fr'))
    expect(matcher.needsLanguage).toBe(true)
    expect(matcher.match(ITEM, { ...SOURCE, language: null }).sort()).toEqual(['english', 'plain'])
    const french = { ...ITEM, title: 'Le volcan islandais', summary: 'est entré en éruption ce matin' }
    expect(matcher.match(french, { ...SOURCE, language: null })).toEqual(['french'])
  })
})

it('words with their spelling are the words of the archive', () => {
  const character = fc.constantFrom(
    ...'aÉßΣςİı½ﬁ™℃東か\u3099が한\u1112\u1161-’ \u00ad\u200d😀𝒳\ud800Åé'.split(''),
    'e\u0301',
    '𠀀',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(character, fc.string({ unit: 'binary' })), { maxLength: 20 }), (parts) => {
      const text = parts.join('')
      expect(spelledWords(text).map(({ folded }) => folded)).toEqual(words(text))
    }),
    { numRuns: 500 },
  )
})
