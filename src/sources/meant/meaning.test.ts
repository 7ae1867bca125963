import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkOwnRule, type Meaning, meaningOf } from './index.ts'
import { SITE_RULES } from './rules/index.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/addresses.md'), 'utf8')
const ROWS = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, pasted, rule, feed]) => ({
  pasted: pasted!,
  rule: rule!,
  feed: feed!,
}))

/** As the manual says it. */
function inWords({ ask, candidates, guesses, rule }: Meaning): (readonly [string, string])[] {
  if (ask !== null) return [[rule ?? '', `asks \`${ask.url}\``]]
  if (rule !== null && candidates.length === 0) return [[rule, 'the page says it']]
  const sure = candidates.slice(0, 1).map((one) => [one.rule, `\`${one.url}\``] as const)
  return [...sure, ...guesses.map((one) => [one.rule, `perhaps \`${one.url}\``] as const)]
}

describe('what people paste', () => {
  it.each(ROWS)('$pasted is $rule', ({ pasted, rule, feed }) => {
    const said = inWords(meaningOf(pasted))
    if (feed.startsWith('perhaps')) expect(said).toContainEqual([rule, feed])
    else expect(said).toEqual([[rule, feed]])
  })

  it('the manual has a line of each rule, and no line twice', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(100)
    const names = new Set(ROWS.map(({ rule }) => rule))
    expect(SITE_RULES.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
    expect(new Set(ROWS.map(({ pasted }) => pasted)).size).toBe(ROWS.length)
  })

  it.each([
    'https://example.org/',
    'https://example.org/blog/post',
    'https://notyoutube.com/channel/UCLA_DiR1FfKNvjuUpBHmylQ',
    'https://youtube.com.example.org/channel/UCLA_DiR1FfKNvjuUpBHmylQ',
    'https://github.com/',
    'https://github.com/topics/rss',
    'https://www.tumblr.com/explore',
    'https://medium.com/m/signin',
    'https://vimeo.com/features',
    'https://www.youtube.com/premium',
    'https://medium.com/s/story',
    'https://github.com/settings',
  ])('%s has no rule', (address) => expect(meaningOf(address)).toMatchObject({ rule: null, candidates: [], ask: null }))
})

describe('text around an address', () => {
  it.each([
    ['Follow me at https://example.org/feed, thanks!', 'https://example.org/feed'],
    ['Example <https://example.org/feed>', 'https://example.org/feed'],
    ['[The feed](https://example.org/feed)', 'https://example.org/feed'],
    ['(see https://example.org/wiki/Tea_(drink))', 'https://example.org/wiki/Tea_(drink)'],
    ['<a href="https://example.org/feed">RSS</a>', 'https://example.org/feed'],
    ['“https://example.org/feed”', 'https://example.org/feed'],
    ['our blog: example.org/blog.', 'https://example.org/blog'],
    ['two: https://a.example/1 https://b.example/2', 'https://a.example/1'],
    ['feed:https://example.org/rss', 'https://example.org/rss'],
    ['web+feed:https://example.org/rss', 'https://example.org/rss'],
    ['web+feed://example.org/rss', 'https://example.org/rss'],
    ['subscribe: feed://example.org/rss', 'https://example.org/rss'],
    ['\ufeffhttps://example.org/\u200bfeed', 'https://example.org/feed'],
    ['\u00a0example.org\n', 'https://example.org/'],
    ['EXAMPLE.com', 'https://example.com/'],
    ['https//example.org/feed', 'https://example.org/feed'],
    ['view-source:https://example.org/feed', 'https://example.org/feed'],
    [
      'https://feedly.com/i/subscription/feed%2Fhttps%3A%2F%2Fexample.org%2Ffeed%3Fn%3D1',
      'https://example.org/feed?n=1',
    ],
    ['https://feedly.com/i/subscription/feed/https://example.org/feed?n=1', 'https://example.org/feed?n=1'],
    ['https://www.inoreader.com/?add_feed=https%3A%2F%2Fexample.org%2Ffeed', 'https://example.org/feed'],
    ['https://www.google.com/amp/s/example.org/post', 'https://example.org/post'],
    [
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2F&data=05',
      'https://example.org/',
    ],
    ['https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fexample.org%2F', 'https://example.org/'],
    ['münchen.example/feed', 'https://xn--mnchen-3ya.example/feed'],
    ['siehe münchen.example/feed.', 'https://xn--mnchen-3ya.example/feed'],
    ['localhost:8080/feed', 'https://localhost:8080/feed'],
    ['http://192.0.2.1/feed', 'http://192.0.2.1/feed'],
    ['https://user:pw@example.org/', 'https://user:pw@example.org/'],
  ])('%j', (pasted, url) => expect(meaningOf(pasted).url).toBe(url))

  it.each([
    '',
    '  ',
    '@handle',
    'just some words',
    'https://exa mple.org/',
    'javascript:alert(1)',
    'mailto:',
    'ftp://a.example/',
  ])('refuses %j, and says what would do', (pasted) =>
    expect(() => meaningOf(pasted)).toThrow(expect.objectContaining({ code: 'FETCH_BAD_URL' })),
  )

  it('knows whether a scheme was written', () => {
    expect(meaningOf('example.org').hasScheme).toBe(false)
    expect(meaningOf('see http://example.org/').hasScheme).toBe(true)
  })
})

/** Addresses of sites that have rules, with anything where names are. */
const anyKnown = fc
  .tuple(
    fc.constantFrom(...SITE_RULES.flatMap(({ match }) => match)),
    fc.array(
      fc.oneof(fc.webSegment(), fc.string({ unit: 'grapheme' }), fc.constantFrom('..', '%', '%2e%2e', '?', '#')),
    ),
  )
  .map(([form, words]) => {
    let at = 0
    return `https://${form.replace(/\{[^}]+\}|\*\*/g, () => words[at++ % Math.max(words.length, 1)] || 'x')}`
  })
const anyText = fc.oneof(anyKnown, fc.webUrl({ withQueryParameters: true }), fc.string(), fc.string({ unit: 'binary' }))

const gives = ({ candidates, guesses, ask }: Meaning) => [
  ...[...candidates, ...guesses].map(({ url }) => url),
  ...(ask === null ? [] : [ask.url]),
]

describe('whatever is pasted', () => {
  it('gives web addresses, or is refused with a code', () => {
    fc.assert(
      fc.property(anyText, (pasted) => {
        let meaning: Meaning
        try {
          meaning = meaningOf(pasted)
        } catch (error) {
          expect(error).toMatchObject({ code: 'FETCH_BAD_URL' })
          return
        }
        for (const url of [meaning.url, ...gives(meaning)]) {
          expect(new URL(url).protocol).toMatch(/^https?:$/)
          expect(new URL(url).href).toBe(url)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(ROWS)('the feed of $pasted means itself', ({ pasted }) => {
    const { candidates, guesses } = meaningOf(pasted)
    for (const { url } of [...candidates, ...guesses]) {
      expect(meaningOf(url)).toMatchObject({ url, rule: null, candidates: [], guesses: [], ask: null })
    }
  })

  it('takes no time that grows with more than its length', () => {
    const start = process.cpuUsage().user
    const rule = checkOwnRule({ name: 'a', match: 'a.example/{a}a/{b:word}/{c...}', give: ['{origin}/{c...}?{a}'] })
    for (const text of ['a'.repeat(100_000), '.a'.repeat(50_000), ' a.'.repeat(30_000), 'feed:'.repeat(20_000)]) {
      for (const pasted of [text, `https://a.example/${text}`, `https://a.example/${text}a/x/${'/'.repeat(2_000)}`]) {
        try {
          meaningOf(pasted, [rule])
        } catch {}
      }
    }
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(3_000)
  })
})

describe('rules of people’s own', () => {
  const rule = (match: string, ...give: string[]) => checkOwnRule({ name: 'mine', match, give })

  it('come before ours', () => {
    const own = [rule('youtube.com/channel/{id}', 'https://tube.example/{id}.xml')]
    expect(meaningOf('https://www.youtube.com/channel/UC1', own)).toMatchObject({
      rule: 'mine',
      candidates: [{ url: 'https://tube.example/UC1.xml', rule: 'mine' }],
    })
    expect(meaningOf('https://www.youtube.com/user/me', own).rule).toBe('YouTube user')
  })

  it.each([
    [
      'example.org/people/{name}',
      'https://example.org/people/Ann%20Lee',
      'https://f.example/{name}',
      'https://f.example/Ann%20Lee',
    ],
    [
      'example.org/{path...}',
      'https://example.org/a/b%2Fc',
      'https://f.example/{path...}/feed',
      'https://f.example/a/b%2Fc/feed',
    ],
    [
      'example.org/{path...}',
      'https://example.org/a/b',
      'https://f.example/?p={path...}',
      'https://f.example/?p=a%2Fb',
    ],
    ['{shop}.example.org/**', 'http://tea.example.org/x/y', '{origin}/news.xml', 'http://tea.example.org/news.xml'],
    ['{shop}.example.org/**', 'http://tea.example.org/x/y', 'https://f.example/{shop}', 'https://f.example/tea'],
    [
      'https://example.org/v?id={id:number}',
      'https://www.example.org/v?x=1&id=7',
      'https://f.example/{id}',
      'https://f.example/7',
    ],
    ['example.org/a+b', 'https://example.org/a+b', 'https://f.example/', 'https://f.example/'],
    ['{any}/blog/{name}', 'https://a.example:8080/blog/x', '{origin}/f/{name}', 'https://a.example:8080/f/x'],
    [
      'example.org/p-{id:number}.html',
      'https://example.org/p-12.html',
      'https://f.example/{id}',
      'https://f.example/12',
    ],
    [
      'example.org/{q}',
      'https://example.org/a%26b=c%23d',
      'https://f.example/?q={q}',
      'https://f.example/?q=a%26b%3Dc%23d',
    ],
  ])('%s takes %s', (match, address, give, feed) => {
    expect(meaningOf(address, [rule(match, give)]).candidates).toEqual([{ url: feed, rule: 'mine' }])
  })

  it.each([
    ['example.org/v?id={id:number}', 'https://example.org/v?id=seven'],
    ['example.org/{a}', 'https://example.org/a/b'],
    ['example.org/{a}/{b...}', 'https://example.org/a'],
    ['{a}.example.org', 'https://a.b.example.org'],
    ['example.org/{a}', 'https://example.org/%ff'],
    ['example.org/x{a}x', 'https://example.org/xx'],
  ])('%s does not take %s', (match, address) => {
    expect(meaningOf(address, [rule(match, 'https://f.example/')]).rule).toBeNull()
  })

  it.each([
    ['', '/a', 'https://f.example/', /name/],
    ['a', '/a', 'https://f.example/', /no host/],
    ['a', 'example.org/{a}{b}', 'https://f.example/', /one \{name\}/],
    ['a', 'example.org/(a+)+', 'https://f.example/{a}', /needs \{a\}/],
    ['a', 'example.org/{a}/{a}', 'https://f.example/', /twice/],
    ['a', 'example.org/{a:regex}', 'https://f.example/', /none of/],
    ['a', 'example.org/{a...}/b', 'https://f.example/', /one \{name\}/],
    ['a', 'example.org/*/b', 'https://f.example/', /one \{name\}/],
    ['a', 'example.org/{a}', 'https://f.example/{b}', /needs \{b\}/],
    ['a', 'example.org/{a}', 'javascript:alert({a})', /does not begin/],
    ['a', 'example.org/{a}', '{a}://f.example/', /does not begin/],
    ['a', 'example.org/{a}', 'file:///etc/passwd', /does not begin/],
    ['a', 'example.org/{a}', 'https://f.example/{', /no address/],
    ['a', `example.org/${'a'.repeat(600)}`, 'https://f.example/', /longer/],
  ])('refuses %j, %j, %j', (name, match, give, message) => {
    expect(() => checkOwnRule({ name, match, give: [give] })).toThrow(
      expect.objectContaining({ code: 'ADDRESS_RULE_INVALID', message: expect.stringMatching(message) }),
    )
  })

  it('never lead out of the web, whatever they take', () => {
    const own = [rule('{any}/{a}/{b...}', 'https://{a}/{b...}', '{origin}/{a}?{b...}')]
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, text) => {
        for (const one of gives(meaningOf(`${url}/${encodeURIComponent(text)}/b`, own))) {
          expect(one).toMatch(/^https?:\/\/[^/]/)
        }
      }),
    )
  })
})
