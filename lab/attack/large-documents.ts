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
function filled(bytes: number, unit: (i: number) => string): string {
  const count = Math.max(1, Math.floor(bytes / Buffer.byteLength(unit(1_000_000))))
  return Array.from({ length: count }, (_, i) => unit(1_000_000 + i)).join('')
}

const xml =
  (unit: (i: number) => string): MakeLarge =>
  (bytes) => ({
    type: 'application/xml; charset=utf-8',
    body: Buffer.from(HEAD + filled(bytes - 200, unit) + FOOT),
  })

const json =
  (unit: (i: number) => string, foot = '0]}'): MakeLarge =>
  (bytes) => ({
    type: 'application/feed+json',
    body: Buffer.from(JSON_HEAD + filled(bytes - 200, unit) + foot),
  })

const item = (i: number, inner: string) => `<item><guid>large ${i}</guid>${inner}</item>`

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
]
