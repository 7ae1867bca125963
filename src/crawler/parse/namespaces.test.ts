import { describe, expect, it } from 'vitest'
import { parseFeed } from './parse.ts'

const DC = 'http://purl.org/dc/elements/1.1/'
const ATOM = 'http://www.w3.org/2005/Atom'
const rss = (declarations: string) =>
  Buffer.from(`<rss version="2.0" ${declarations}><channel><title>t</title>
<item><guid>1</guid><x:creator>Ann</x:creator></item></channel></rss>`)
const authors = (declarations: string) =>
  parseFeed(rss(declarations), { contentType: null, url: 'https://a.example/' }).items[0]?.authors

describe('what one document declares', () => {
  // Scopes are shared by documents: a feed could choose an address that looks like the declarations of another feed.
  it.each([
    ['one address like two declarations', `xmlns:a="${ATOM} x,${DC}"`],
    ['one of two addresses like two more', `xmlns:a="${ATOM}" xmlns:b="u x,${DC}"`],
  ])('is not taken for what another does: %s', (_, hostile) => {
    authors(hostile)
    const honest = hostile.includes('xmlns:b')
      ? `xmlns:a="${ATOM}" xmlns:b="u" xmlns:x="${DC}"`
      : `xmlns:a="${ATOM}" xmlns:x="${DC}"`
    expect(authors(honest)).toMatchObject([{ name: 'Ann' }])
  })
})
