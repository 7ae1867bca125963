import { describe, expect, it } from 'vitest'
import { DEFAULT_PARSE_LIMITS } from './limits.ts'
import { type ParseOptions, parseFeed } from './parse.ts'

/** CPU time grows on a busy machine (209 ms were seen, where 200 was the limit); quadratic time over half a megabyte is many seconds. */
const LONGEST_MS = 500
const URL = 'https://host.example/dir/feed'

/** CPU time, the best of three: other processes may be busy. */
function parseTimed(bytes: Uint8Array, options: ParseOptions = { url: URL }) {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && best > LONGEST_MS / 2; i++) {
    const start = process.cpuUsage()
    parseFeed(bytes, options)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1_000)
  }
  return { result: parseFeed(bytes, options), ms: best }
}

const codesOf = (bytes: Uint8Array, options?: ParseOptions): string[] =>
  parseFeed(bytes, options).problems.map(({ code }) => code)

const inRss = (inside: string): string => `<rss version="2.0"><channel>${inside}</channel></rss>`
const inDescription = (inside: string): string => inRss(`<item><description>${inside}</description></item>`)
const cdata = (inside: string): string => inDescription(`<![CDATA[${inside}]]>`)

const laughs = (levels: number): string => {
  const entities = Array.from({ length: levels }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`)
  return `<!DOCTYPE rss [<!ENTITY e0 "ha">${entities.join('')}]>${inRss(`<title>&e${levels};</title>`)}`
}

const HALF_MB = 512 * 1024
const fill = (piece: string, size = HALF_MB): string => piece.repeat(Math.ceil(size / piece.length))

// Each is a way to make a careless reader take quadratic time, overflow its stack or fill the memory.
const ATTACKS: readonly (readonly [string, string])[] = [
  ['50,000 elements deep', `<rss><channel>${'<a>'.repeat(50_000)}`],
  ['50,000 elements deep inside a text', inDescription('<a>'.repeat(50_000))],
  ['50,000 elements deep and closed', inDescription('<a>'.repeat(50_000) + '</a>'.repeat(50_000))],
  ['50,000 roots deep', '<a>'.repeat(50_000)],
  ['a billion laughs', laughs(9)],
  ['a long entity used often', `<!DOCTYPE rss [<!ENTITY x "${'y'.repeat(50_000)}">]>${inRss(fill('&x;'))}`],
  ['an entity of itself', `<!DOCTYPE rss [<!ENTITY x "&x;&x;">]>${inRss('<title>&x;</title>')}`],
  ['only <', fill('<')],
  ['only &', inRss(fill('&'))],
  ['only & in a text', inDescription(fill('&'))],
  ['references without end', inDescription(fill('&aaaaaaaa'))],
  ['comments without end', inRss(fill('<!--'))],
  ['comments that nearly end', inRss(fill('<!-- --'))],
  ['CDATA without end', inDescription(fill('<![CDATA['))],
  ['instructions without end', inRss(fill('<?'))],
  ['instructions that end wrongly', inRss(fill('<? >'))],
  ['doctypes without end', fill('<!DOCTYPE [')],
  ['doctypes that end wrongly', fill('<!DOCTYPE [>')],
  ['doctype full of quotes', `<!DOCTYPE rss [${fill('"')}`],
  ['doctype full of entities', `<!DOCTYPE rss [${fill('<!ENTITY a "b">')}]><rss/>`],
  ['declarations', inRss(fill('<!x '))],
  ['start tags without end', inRss(fill('<a '))],
  ['end tags without end', inRss(fill('</a '))],
  ['end tags of nothing', inRss(fill('</a>'))],
  ['end tags of nothing, deep', `${'<b>'.repeat(190)}${fill('</a>')}`],
  ['attributes without end', inRss(fill('<a b="'))],
  ['attributes without value', `<rss ${fill('a ')}>`],
  ['many attributes', `<rss ${Array.from({ length: 50_000 }, (_, i) => `a${i}="1"`).join(' ')}>`],
  ['many namespaces', inRss(Array.from({ length: 10_000 }, (_, i) => `<p${i}:a xmlns:p${i}="u${i}"/>`).join(''))],
  ['many names', inRss(Array.from({ length: 50_000 }, (_, i) => `<n${i}/>`).join(''))],
  ['a name of half a megabyte', `<${fill('a')}>`],
  ['many items', inRss(fill('<item>'))],
  ['many empty items', inRss(fill('<item/>'))],
  ['many categories', inRss(`<item>${Array.from({ length: 30_000 }, (_, i) => `<category>${i}</category>`).join('')}`)],
  ['many authors', inRss(`<item>${Array.from({ length: 30_000 }, (_, i) => `<author>${i}</author>`).join('')}`)],
  ['many enclosures', inRss(`<item>${Array.from({ length: 20_000 }, (_, i) => `<enclosure url="${i}"/>`).join('')}`)],
  ['a person of half a megabyte', inRss(`<item><author>${fill('a.')}@</author></item>`)],
  ['breaks in naked markup', inDescription(fill('x<br>'))],
  ['naked markup', inDescription(fill('<b>x</b>'))],
  ['links in HTML', cdata(fill('<a href="x">'))],
  ['signs in HTML', cdata(`<${fill('=')}`)],
  ['signs and spaces in HTML', cdata(`<a ${fill('href   =   ')}`)],
  ['tags without end in HTML', cdata(`${fill('<a href=')}`)],
  ['quotes without end in HTML', cdata(`${fill('<a href="')}`)],
  ['spaces in HTML', cdata(`<a href${fill(' ')}=x`)],
  ['a date of half a megabyte', inRss(`<pubDate>${fill('Mon, 1 ')}</pubDate>`)],
  ['base64 of spaces', `<feed><title mode="base64">${fill('A ')}!</title></feed>`],
  ['lists 100,000 deep in JSON', '['.repeat(100_000)],
  ['objects 100,000 deep in JSON', '{"a":'.repeat(100_000)],
  ['a closed list 100,000 deep in a feed', `{"version":"1","items":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`],
  ['quotes in JSON', `{"items":[${fill('"')}`],
  ['bytes that are nothing', fill('\u0001\uffff')],
]

describe('attacks', () => {
  it.each(ATTACKS)('%s: over before it hurts', (_, text) => {
    const { result, ms } = parseTimed(Buffer.from(text))
    expect(ms).toBeLessThan(LONGEST_MS)
    expect(result.problems.length).toBeLessThan(20)
  })

  it('a deep document costs next to nothing, and is reported', () => {
    const { result, ms } = parseTimed(Buffer.from(ATTACKS[1]![1]))
    expect(ms).toBeLessThan(LONGEST_MS / 4)
    expect(result.problems.map(({ code }) => code)).toContain('too-deep')
  })

  it('entities stop at the limit, and are reported', () => {
    const result = parseFeed(Buffer.from(laughs(6)))
    expect(result.feed.title!.length).toBeLessThanOrEqual(DEFAULT_PARSE_LIMITS.maxEntityChars)
    expect(result.problems.map(({ code }) => code)).toContain('entity-limit')
  })
})

describe('limits', () => {
  it('of bytes: what is before is read', () => {
    const text = inRss(`<item><title>1</title></item>${fill('<item><title>x</title></item>', 5_000)}`)
    const result = parseFeed(Buffer.from(text), { limits: { maxBytes: 1_000 } })
    expect(result.problems.map(({ code }) => code)).toContain('too-large')
    expect(result.items[0]!.title).toBe('1')
    expect(result.items.length).toBeLessThan(40)
  })

  it('of items', () => {
    const text = Buffer.from(inRss('<item><title>x</title></item>'.repeat(20)))
    expect(parseFeed(text, { limits: { maxItems: 7 } }).items).toHaveLength(7)
    expect(codesOf(text, { limits: { maxItems: 7 } })).toEqual(['too-many-items'])
    expect(codesOf(text, { limits: { maxItems: 20 } })).toEqual([])
  })

  it('of a field', () => {
    const result = parseFeed(Buffer.from(inDescription('x'.repeat(50))), { limits: { maxFieldChars: 10 } })
    expect(result.items[0]!.summary).toBe('x'.repeat(10))
    expect(result.problems.map(({ code }) => code)).toEqual(['field-too-long'])
  })

  it('of extensions', () => {
    const text = inRss(`<item>${Array.from({ length: 300 }, (_, i) => `<slash:s${i}>x</slash:s${i}>`).join('')}</item>`)
    const { extensions } = parseFeed(Buffer.from(text)).items[0]!
    expect(Object.keys(extensions!)).toHaveLength(DEFAULT_PARSE_LIMITS.maxExtensions)
  })

  it('a document of the largest size is read in time', () => {
    const item = `<item><title>A title &amp; more</title><link>https://x.example/1</link><description>${'word '.repeat(2_000)}</description></item>`
    const { result, ms } = parseTimed(Buffer.from(inRss(fill(item, 14 * 1024 * 1024))))
    expect(result.problems).toEqual([])
    expect(ms).toBeLessThan(LONGEST_MS)
  })
})
