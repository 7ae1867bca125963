import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parsePage } from '../page.ts'
import { suggestSelectors } from './suggest.ts'

const FIXTURES = new URL('../fixtures/', import.meta.url)

interface Expected {
  readonly url: string
  readonly items: readonly { readonly title: string; readonly link: string; readonly published?: string }[]
}

/** The first were made before the rules, the others after them. */
const BEFORE = ['cards', 'changelog', 'forum', 'japanese', 'job-table']
const names = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.slice(0, -5))

/** How many of ten must be right, as readers see it: titles, links and dates of the first suggestion. */
const LEAST_SHARE = 0.8

function isRight(name: string): boolean {
  const html = readFileSync(new URL(`${name}.html`, FIXTURES), 'utf8')
  const expected = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')) as Expected
  const [first] = suggestSelectors(parsePage(html, expected.url))
  const found = first?.items.map(({ title, link, published }, at) => ({
    title,
    link,
    ...(expected.items[at]?.published === undefined ? {} : { published }),
  }))
  const wanted = expected.items.map(({ title, link, published }) => ({
    title,
    link,
    ...(published === undefined ? {} : { published: Date.parse(published) }),
  }))
  return JSON.stringify(found) === JSON.stringify(wanted)
}

describe('suggestions', () => {
  it.each([
    ['pages made before the rules', names.filter((name) => BEFORE.includes(name))],
    ['pages made after them', names.filter((name) => !BEFORE.includes(name))],
  ])('are right on at least eight of ten: %s', (_, pages) => {
    const wrong = pages.filter((name) => !isRight(name))
    expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(Math.floor(pages.length * (1 - LEAST_SHARE) + 1e-9))
  })

  it.each([
    ['nothing', ''],
    ['text alone', '<p>Nothing is listed here, this is one long text about a single thing.</p>'],
    ['a page of scripts', '<div id="app"></div><script>render()</script>'],
  ])('are none where there is no list: %s', (_, html) => {
    expect(suggestSelectors(parsePage(html, 'https://a.example/'))).toEqual([])
  })
})
