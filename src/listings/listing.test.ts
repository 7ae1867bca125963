import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Listing } from '../model/index.ts'
import { type DocumentOptions, readSourceDocument } from './document.ts'

const read = (html: string | Uint8Array, listing: Listing, options: Partial<DocumentOptions> = {}) =>
  readSourceDocument(typeof html === 'string' ? Buffer.from(html) : html, {
    contentType: 'text/html',
    url: 'https://a.example/news/',
    listing,
    ...options,
  })
const faults = (result: ReturnType<typeof read>) => [result.format, ...result.problems.map(({ code }) => code)]

describe('items of a page', () => {
  it('are read by the selectors, with absolute addresses', () => {
    const html = `<title>News</title><ul><li><b>One &amp; only</b> <a href="1.html">more</a> <i>3 May 2026</i><p>Text <img src="/p.png"></p></li>
      <li><b>Two</b> <a href="//b.example/2">more</a></li></ul>`
    const { format, feed, items } = read(html, { list: 'li', title: 'b', link: 'a', date: 'i', content: 'p' })
    expect(format).toBe('page')
    expect(feed).toMatchObject({ title: 'News', link: 'https://a.example/news/' })
    expect(items).toMatchObject([
      {
        title: 'One & only',
        link: 'https://a.example/news/1.html',
        published: Date.UTC(2026, 4, 3),
        content: 'Text <img src="https://a.example/p.png">',
      },
      { title: 'Two', link: 'https://b.example/2', published: null, content: null },
    ])
  })

  it.each([
    ['heading and its link', '<article><h2><a href="/1">One</a></h2><a href="/x">other</a></article>', 'One', '/1'],
    ['link alone', '<article>by me <a href="/1">One</a></article>', 'One', '/1'],
    ['a card inside a link', '<a href="/1"><article><h3>One</h3></article></a>', 'One', '/1'],
    ['no link', '<article>Only text</article>', 'Only text', null],
    ['a picture', '<article><a href="/1"><img alt="A boat"></a></article>', 'A boat', '/1'],
  ])('have title and link at the usual places without selectors: %s', (_, html, title, path) => {
    const [item] = read(html, { list: 'article' }).items
    expect(item).toMatchObject({ title, link: path === null ? null : `https://a.example${path}` })
  })

  it.each([
    ['2026-11-05T10:00:00+01:00', '2026-11-05T09:00:00Z'],
    ['Posted on 5th November 2026 at 10:30', '2026-11-05T10:30:00Z'],
    ['by marta » Sat Nov 14, 2026 8:12 pm', '2026-11-14T20:12:00Z'],
    ['publié le 13 novembre 2026', '2026-11-13'],
    ['14. November 2026', '2026-11-14'],
    ['05.12.2026 – 19 Uhr', '2026-12-05'],
    ['2026年11月4日(水)', '2026-11-04'],
    ['2026/11/04', '2026-11-04'],
    ['3 hours ago', null],
    ['12 November', null],
    ['Room 2026', null],
  ])('have the date that a text says: %s', (text, date) => {
    const [item] = read(`<p>Title <i>${text}</i></p>`, { list: 'p', date: 'i' }).items
    expect(item?.published ?? null).toBe(date === null ? null : Date.parse(date))
  })

  it('agree on the order of day and month', () => {
    const html = ['3/4/2026', '25/3/2026'].map((day) => `<p>Title ${day} <i>${day}</i></p>`).join('')
    const dates = read(html, { list: 'p', date: 'i' }).items.map(({ published }) => published)
    expect(dates).toEqual([Date.UTC(2026, 3, 3), Date.UTC(2026, 2, 25)])
  })

  it('reach to the next where only their head is selected', () => {
    const html = '<h2>One</h2><p><a href="/1">read</a></p><time>2026-01-02</time><h2>Two</h2><p>none</p>'
    expect(read(html, { list: 'h2', title: 'h2' }).items).toMatchObject([
      { title: 'One', published: Date.UTC(2026, 0, 2) },
      { title: 'Two', link: null, published: null },
    ])
  })

  it('come in the charset that the page names', () => {
    const html = Buffer.from('<meta charset="iso-8859-1"><p>Gr\xfc\xdfe</p>', 'latin1')
    expect(read(html, { list: 'p' }).items[0]?.title).toBe('Grüße')
  })

  it('lead to older ones where the page says so', () => {
    const html = '<a rel="next" href="?page=2">Older</a><p>One</p>'
    expect(read(html, { list: 'p' }).feed.hints.nextUrl).toBe('https://a.example/news/?page=2')
  })
})

describe('what cannot be read', () => {
  const html = '<p>One</p>'
  it.each<[string, string | Uint8Array, Listing, Partial<DocumentOptions>, string]>([
    ['a selector that is none', html, { list: 'p[' }, {}, 'bad-selector'],
    ['a pseudo-class that is none', html, { list: 'p:nonsense' }, {}, 'bad-selector'],
    ['an endless selector', html, { list: 'p '.repeat(300) }, {}, 'bad-selector'],
    ['nothing', html, { list: '.post' }, {}, 'nothing-selected'],
    ['no such element', html, { element: '#price' }, {}, 'nothing-selected'],
    ['an empty element', '<p id="a"> </p>', { element: '#a' }, {}, 'nothing-selected'],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ'), { list: 'p' }, { contentType: null }, 'not-html'],
    ['a picture by its type', html, { list: 'p' }, { contentType: 'image/png' }, 'not-html'],
  ])('says why: %s', (_, body, listing, options, problem) => {
    const found = faults(read(body, listing, options))
    expect(found[0]).toBe('unknown')
    expect(found).toContain(problem)
  })

  it('is a selector that would take too long', () => {
    const wide = '<p><b>x</b></p>'.repeat(20_000)
    const start = process.cpuUsage()
    expect(faults(read(wide, { list: 'q ~ p' }))).toContain('costly-selector')
    const { user } = process.cpuUsage(start)
    expect(user / 1_000).toBeLessThan(5_000)
  })
})

describe('a page of any size', () => {
  it('is read as far as the limits go', () => {
    const row = '<p><a href="/1">One</a></p>'
    const { items, problems } = read(row.repeat(60_000), { list: 'p' })
    expect(items).toHaveLength(2_000)
    expect(problems.map(({ code }) => code)).toEqual(['too-large', 'too-many-items'])
  })

  it.each(['<div>', '<b>', '<table><tr><td>', '<ul><li>'])('may be nested as deep as it likes: %s', (tag) => {
    const html = `<p>One</p>${tag.repeat(300_000)}`
    expect(read(html, { list: 'p' }).items[0]?.title).toBe('One')
  })
})

describe('fixtures', () => {
  it('are read the same by the selectors that a person would write', () => {
    const html = readFileSync(new URL('fixtures/job-table.html', import.meta.url))
    const { items } = read(html, { list: 'table.results tr', title: 'a', date: 'td:nth-of-type(1)' })
    expect(items.map(({ title }) => title).slice(0, 2)).toEqual(['Civil Engineer II', "Librarian, Children's Services"])
  })
})
