import { expect, it } from 'vitest'
import { BLANK_ITEM, type ParsedItem } from '../../model/index.ts'
import { cutLabels } from './labels.ts'
import { parseFeed } from './parse.ts'

const MOST = 1_000
const LONG = 'x'.repeat(5_000)

const charsOf = ({ summary, content, ...labels }: ParsedItem) => JSON.stringify([labels]).length

it.each<[string, Partial<ParsedItem>]>([
  ['title', { title: LONG }],
  ['id', { id: LONG }],
  ['link', { link: `https://a.example/${LONG}` }],
  ['image', { image: `https://a.example/${LONG}` }],
  ['categories', { categories: Array.from({ length: 200 }, (_, i) => `category ${i}`) }],
  ['authors', { authors: [{ name: LONG, email: null, url: null }] }],
  ['enclosures', { enclosures: [{ url: `https://a.example/${LONG}`, type: null, lengthBytes: null }] }],
  ['values of modules', { extensions: { a: 'short', b: LONG } }],
])('an item whose %s would fill the memory is cut, its texts are not', (_, fields) => {
  const item = { ...BLANK_ITEM, ...fields, content: LONG }
  const short = cutLabels(item, MOST)
  expect(charsOf(short)).toBeLessThan(2 * MOST)
  expect(short.content).toBe(LONG)
})

it('half an address is none', () => {
  const { link, title } = cutLabels({ ...BLANK_ITEM, link: `https://a.example/${LONG}`, title: 'Kept' }, MOST)
  expect([link, title]).toEqual([null, 'Kept'])
})

it('usual items stay as they are', () => {
  const item = { ...BLANK_ITEM, title: 'A title', categories: ['one'], content: LONG }
  expect(cutLabels(item, MOST)).toBe(item)
})

it('is reported as a problem of the document', () => {
  const xml = `<rss version="2.0"><channel><item><guid>1</guid><title>${LONG}</title></item></channel></rss>`
  const { items, problems } = parseFeed(Buffer.from(xml), { limits: { maxLabelChars: MOST } })
  expect(items[0]?.title?.length).toBeLessThan(MOST)
  expect(problems.map(({ code }) => code)).toContain('field-too-long')
})
