export interface LargeDocument {
  readonly type: string
  readonly body: Buffer
}

/** A document of so many bytes, of a kind that takes much memory to read. */
export type MakeLarge = (bytes: number) => LargeDocument

const HEAD = '<?xml version="1.0"?><rss version="2.0"><channel><title>large</title>'
const FOOT = '</channel></rss>'
const JSON_HEAD = '{"version":"https://jsonfeed.org/version/1.1","title":"large","items":['

/** Repeats a unit, each a little different, until there are so many bytes. */
function fillDocument(bytes: number, unit: (i: number) => string): string {
  const count = Math.max(1, Math.floor(bytes / Buffer.byteLength(unit(1_000_000))))
  return Array.from({ length: count }, (_, i) => unit(1_000_000 + i)).join('')
}

const xml =
  (unit: (i: number) => string): MakeLarge =>
  (bytes) => ({
    type: 'application/xml; charset=utf-8',
    body: Buffer.from(HEAD + fillDocument(bytes - 200, unit) + FOOT),
  })

const json =
  (unit: (i: number) => string, foot = '0]}'): MakeLarge =>
  (bytes) => ({
    type: 'application/feed+json',
    body: Buffer.from(JSON_HEAD + fillDocument(bytes - 200, unit) + foot),
  })

const item = (i: number, inner: string) => `<item><guid>large ${i}</guid>${inner}</item>`

const wordsOf = (word: string) => xml((i) => item(i, `<description>${word.repeat(300)}</description>`))

export const LARGE_DOCUMENTS: readonly MakeLarge[] = [
  xml((i) => item(i, `<description>${'word '.repeat(300)}</description>`)),
  // One wide character makes all of a text wide.
  xml((i) => item(i, `<description>${i === 1_000_000 ? '語' : ''}${'word '.repeat(300)}</description>`)),
  xml((i) => item(i, '')),
  xml((i) => item(i, '<category>a</category>'.repeat(65))),
  xml((i) => item(i, Array.from({ length: 60 }, (_, k) => `<x${k}>v</x${k}>`).join(''))),
  xml(() => '&lt;'.repeat(1_000)),
  (bytes) =>
    xml(() => `<item><guid>1</guid><description>${'&lt;'.repeat(bytes / 4 - 100)}</description></item>`)(bytes),
  (bytes) =>
    xml(() => `<item><guid>2</guid><description>${'a<![CDATA[b]]>'.repeat(bytes / 14 - 100)}</description></item>`)(
      bytes,
    ),
  xml((i) => item(i, `<description>${'&lt;a href="x">'.repeat(100)}</description>`)),
  json(() => '{},'),
  json(() => '[],'),
  json(() => '1.5,'),
  json((i) => `{"id":"${i}","content_text":"${'word '.repeat(300)}"},`),
  json(() => '{}', '}'),
  json(() => '1 ', ''),
  json((i) => `"${i}":1,`, ''),
  // One text that is all tags, all signs to be taken out, all bytes to be repaired, or all escapes of a list that is cut
  // off.
  (bytes) =>
    xml(() => `<item><guid>3</guid><description>${'<b>x</b>'.repeat(bytes / 8 - 100)}</description></item>`)(bytes),
  xml((i) => item(i, `<description>${'w\u0001\u0002 '.repeat(300)}</description>`)),
  xml((i) => item(i, `<description>${'\u0093a\u0094'.repeat(300)}</description>`)),
  (bytes) => ({ type: 'application/xml', body: Buffer.from(wordsOf('w\u00e9rd ')(bytes).body.toString(), 'latin1') }),
  (bytes) => {
    const twice = wordsOf('\u00dcn\u00efc\u00f6d\u00e9 ')(bytes / 2).body.toString('latin1')
    return { type: 'application/xml; charset=utf-8', body: Buffer.from(twice) }
  },
  (bytes) => json(() => `{"id":"4","content_html":"${'\\u003c'.repeat(bytes / 6 - 100)}"`, '')(bytes),
  // Many small things in each item, and labels that are longer than texts.
  xml((i) => item(i, Array.from({ length: 20 }, (_, k) => `<enclosure url="http://a/${k}" type="a/b"/>`).join(''))),
  json((i) => `{"id":"${i}",${Array.from({ length: 35 }, (_, k) => `"_k${k}":${k}`).join(',')}},`),
  json(
    (i) =>
      `{"id":"${i}","attachments":[${Array.from({ length: 10 }, (_, k) => `{"url":"http://a/${k}"}`).join(',')}]},`,
  ),
  xml((i) => item(i, `<title>語${'title '.repeat(10_000)}</title><x>${'long '.repeat(10_000)}</x>`)),
]
