import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface BenchDocument {
  readonly name: string
  readonly bytes: Buffer
}

const HERE = fileURLToPath(new URL('.', import.meta.url))
// Folders with documents of real publishers; the others hold test cases of a few lines.
const REAL = ['rss-parser', 'node-feedparser', 'newsblur', 'feed-rs', 'rome', 'feedparser/docs', 'gofeed']
const FEED = /\.(?:xml|rss|atom|rdf|json)$/
const SMALLEST = 2 * 1024

/** Beside the project; from bench and from dist/bench alike. */
export function corporaFolder(folder?: string): string | null {
  const folders =
    folder === undefined ? ['../../shared/corpora', '../../../shared/corpora'].map((up) => join(HERE, up)) : [folder]
  return folders.find((path) => existsSync(path)) ?? null
}

/** Real documents of at least 2 KB: below that, calling costs more than reading. */
export function realDocuments(folder: string): BenchDocument[] {
  const found: BenchDocument[] = []
  const visit = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      const full = join(path, name)
      const stat = statSync(full)
      if (stat.isDirectory()) visit(full)
      else if (FEED.test(name) && stat.size >= SMALLEST) found.push({ name: full, bytes: readFileSync(full) })
    }
  }
  for (const corpus of REAL) if (existsSync(join(folder, corpus))) visit(join(folder, corpus))
  return found
}

/** For machines without the corpora: RSS of many sizes with the markup that real items have. */
export function generatedDocuments(): BenchDocument[] {
  return [3, 8, 20, 60, 150, 300, 900].map((items) => ({
    name: `generated-${items}`,
    bytes: Buffer.from(generatedRss(items)),
  }))
}

function generatedRss(count: number): string {
  const items = Array.from({ length: count }, (_, i) => generatedItem(i)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Generated</title><link>https://example.org/</link><description>Made for the bench</description>
${items}
</channel></rss>`
}

function generatedItem(i: number): string {
  const paragraph = `<p>Paragraph of item ${i} with a <a href="https://example.org/${i}?a=1&amp;b=2">link</a> &amp; more.</p>`
  const escaped = paragraph.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<item><title>Item ${i} &amp; its title</title><link>https://example.org/${i}</link>
<guid isPermaLink="false">item-${i}</guid><pubDate>Sat, 07 Sep 2002 09:42:31 GMT</pubDate><dc:creator>Author ${i % 7}</dc:creator>
<category>one</category><description>${escaped}</description>
<content:encoded><![CDATA[${paragraph.repeat(8)}]]></content:encoded></item>`
}
