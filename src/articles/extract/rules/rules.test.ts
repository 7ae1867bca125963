import { describe, expect, it } from 'vitest'
import type { ArticlePage } from '../../article.ts'
import { extractArticle } from '../extract.ts'
import { tryRule } from '../try-rule.ts'
import { SHIPPED_RULES } from './shipped.ts'
import { parseSiteRule } from './site-rule.ts'

const PROSE = 'Overnight they finished a whole row of lettuce, and left a trail that leads straight to the compost. '
const page: ArticlePage = {
  url: 'https://forum.example.org/topic/1',
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(
    `<html lang="en"><head><title>Forum</title></head><body><h3 class="subject">Slugs</h3><div class="msg"><i class="who">pia</i><span class="when" title="x">2023-06-11</span><p class="txt">${PROSE}</p><p class="sig">Bye</p></div><div class="msg"><p class="txt">${PROSE.toUpperCase()}</p></div></body></html>`,
  ),
}
const rule = parseSiteRule({
  name: 'forum',
  hosts: ['example.org'],
  content: ['.msg .txt'],
  title: ['.nothing', '.subject'],
  author: ['.who'],
  date: ['.when'],
  remove: ['.sig'],
})

describe('a rule of a site', () => {
  it('says where everything is', () => {
    const extraction = extractArticle(page, [rule])
    expect(extraction).toMatchObject({
      kind: 'article',
      article: {
        title: 'Slugs',
        author: 'pia',
        published: Date.UTC(2023, 5, 11),
        by: 'rule:forum',
        text: `${PROSE}\n${PROSE.toUpperCase()}`.replace(/ \n/, '\n').trim(),
      },
    })
  })

  it('is for its hosts and those below them', () => {
    const byAt = (url: string) => {
      const extraction = extractArticle({ ...page, url }, [rule])
      return extraction.kind === 'article' ? extraction.article.by : extraction.reason
    }
    expect(byAt('https://example.org/')).toBe('rule:forum')
    expect(byAt('https://a.b.example.org/')).toBe('rule:forum')
    expect(byAt('https://badexample.org/')).toBe('readability')
  })

  it.each([
    ['a selector that is none', { content: ['div['] }, /content\.0: neither a CSS selector nor an XPath: div\[/],
    ['no selector at all', {}, /content: a rule needs a selector for something/],
    ['no host', { hosts: [], content: ['p'] }, /hosts/],
    [
      'a host that is an address',
      { hosts: ['https://example.org/x'], content: ['p'] },
      /hosts\.0: not the name of a host/,
    ],
    ['all hosts without a condition', { hosts: ['*'], content: ['p'] }, /where: a rule for all hosts needs it/],
    ['an unknown field', { content: ['p'], xpath: '//p' }, /xpath/],
    ['a selector without end', { content: ['p '.repeat(1_000)] }, /content\.0/],
  ])('is refused with what is wrong: %s', (_, fields, message) => {
    const parse = () => parseSiteRule({ name: 'x', hosts: ['example.org'], ...fields })
    expect(parse).toThrow(message)
    expect(parse).toThrow(expect.objectContaining({ code: 'SITE_RULE_INVALID' }))
  })
})

describe('a rule in XPath', () => {
  const read = (fields: object) =>
    extractArticle(page, [parseSiteRule({ name: 'x', hosts: ['example.org'], ...fields })])

  it.each(['//p', '(//p)[1]', '/html/body', 'id("a")/p', './/p/text()', '//time/@datetime', '//p | //h1'])(
    '%s is one',
    (selector) => {
      expect(parseSiteRule({ name: 'x', hosts: ['a.org'], content: [selector] }).content).toEqual([selector])
    },
  )

  it.each(['//p[', '//p[@', 'count(//p)', '/html/body/', '//p/foo()'])('%s is none', (selector) => {
    expect(() => parseSiteRule({ name: 'x', hosts: ['a.org'], content: [selector] })).toThrow(/content\.0/)
  })

  it('finds what the same rule in CSS finds', () => {
    const xpath = { content: ['//p[contains(@class, "txt")]'], title: ['//H3'], remove: ['//*[@class="sig"]'] }
    const css = { content: ['p[class*="txt"]'], title: ['h3'], remove: ['[class="sig"]'] }
    expect(read(xpath)).toEqual(read(css))
    expect(read(xpath)).toMatchObject({ kind: 'article', article: { by: 'rule:x', title: 'Slugs' } })
  })
})

describe('a rule that is tried on a stored page', () => {
  it('shows what it finds, whatever the host of the page', () => {
    const elsewhere = parseSiteRule({ ...rule, hosts: ['another.example'] })
    const { found, problems, extraction } = tryRule(elsewhere, page)
    expect(found).toEqual({ where: 0, content: 2, title: 1, author: 1, date: 1, remove: 1 })
    expect(problems).toEqual([])
    expect(extraction).toMatchObject({ kind: 'article', article: { by: 'rule:forum' } })
  })

  it('names what it does not find', () => {
    const wrong = parseSiteRule({ name: 'w', hosts: ['example.org'], content: ['.gone'], date: ['.never'] })
    expect(tryRule(wrong, page).problems).toEqual([
      'content: nothing on this page matches',
      'date: nothing on this page matches',
    ])
  })

  it('says why a page gives no article', () => {
    const pdf = { ...page, body: Buffer.from('%PDF-1.4') }
    expect(tryRule(rule, pdf).problems.at(-1)).toBe('content: the page gives no article (not-html)')
  })
})

describe('the shipped rules', () => {
  it('have names of their own', () => {
    const names = SHIPPED_RULES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
