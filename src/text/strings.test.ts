import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { parseFeed } from '../crawler/parse/parse.ts'
import { detach, replaceEach, TextPieces } from './strings.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapMb(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

describe('detach', () => {
  it.each(['', 'short', 'long enough to be a slice', 'ä𝄞 beyond Latin-1, and long'])(
    '%j stays the same text',
    (text) => {
      expect(detach(text)).toBe(text)
    },
  )
})

describe('what stays in memory of a document', () => {
  // Every place where a text is cut out of the document: text, attribute, escaped text, inline markup, problem, name.
  const document = (n: number): Buffer =>
    Buffer.from(`<rss version="2.0" xmlns:extension-of-ours="http://long.example/namespace/${n}"><channel>
      <title>A title that is long enough ${n}</title>
      <item><title>A title &amp; more that is long enough ${n}</title><link>https://long.example/item/${n}</link>
      <guid isPermaLink="false">identity-of-item-${n}</guid><author>somebody.with.a.name@long.example</author>
      <category>a category that is long ${n}</category><enclosure url="https://long.example/${n}.mp3" type="audio/mpeg-long-enough"/>
      <description>Short <b class="some-long-class-name">markup</b> in line</description>
      <podcast:transcript-with-a-name language-of-transcript="something long ${n}">value that is long ${n}</podcast:transcript-with-a-name></item>
      <x:padding>${'x'.repeat(1024 * 1024)}</x:padding></channel></rss>`)

  it('does not keep the document', () => {
    const keep = (from: number, to: number): unknown[] =>
      Array.from({ length: to - from }, (_, i) => parseFeed(document(from + i), { url: 'https://long.example/feed' }))
    const first = keep(0, 5)
    const before = heapMb()
    const strings = keep(5, 65)
    const growth = heapMb() - before
    expect(strings).toHaveLength(60)
    expect(first).toHaveLength(5)
    expect(growth).toBeLessThan(10)
  })
})

it('pieces of text are joined as they came, however many there are', () => {
  for (const count of [0, 1, 4_095, 4_096, 4_097, 20_000]) {
    const pieces = new TextPieces()
    const parts = Array.from({ length: count }, (_, i) => `${i},`)
    for (const part of parts) pieces.add(part)
    expect(pieces.end('end')).toBe(`${parts.join('')}end`)
  }
})

it('replacing each match is what replace does', () => {
  for (const text of ['', 'none', 'abc', 'xbx'.repeat(10_000), 'b'.repeat(5_000)]) {
    expect(replaceEach(text, /b(.)?/g, ([all]) => `<${all}>`)).toBe(text.replace(/b(.)?/g, (all) => `<${all}>`))
  }
})
