import { STATUS_CODES } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { WARCRecord, WARCSerializer } from 'warcio'
import type { ItemPage, SourceId } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'

const PAGES_AT_ONCE = 50

export interface WarcOptions {
  /** Absent: of all sources. */
  readonly sourceId?: SourceId
  /** What wrote it, as `Headwater/0.1.0`. */
  readonly software: string
}

/**
 * The stored pages as a compressed WARC 1.1 file, record by record: each as the answer it came with, as far as that is stored (status
 * and type), and what was read off it as metadata.
 */
export async function* warcOf(
  store: Pick<Store, 'storedPages' | 'pageBody'>,
  { sourceId, software }: WarcOptions,
): AsyncGenerator<Uint8Array> {
  const info = { software, format: 'WARC File Format 1.1' }
  yield* serialize(WARCRecord.createWARCInfo({ filename: 'pages.warc.gz', warcVersion: 'WARC/1.1' }, info))
  for (let after = 0; ; ) {
    const query = { after, limit: PAGES_AT_ONCE, ...(sourceId === undefined ? {} : { sourceId }) }
    const pages = await store.storedPages(query)
    for (const page of pages) yield* recordsOf(page, await store.pageBody(page.seq))
    const last = pages.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}

async function* recordsOf(page: ItemPage, body: Uint8Array | null): AsyncGenerator<Uint8Array> {
  // Removed since it was listed.
  if (body === null) return
  const content = gunzipSync(body)
  const status = page.status ?? 200
  const common = {
    url: page.finalUrl ?? page.url,
    date: new Date(page.fetchedAt ?? 0).toISOString(),
    warcVersion: 'WARC/1.1' as const,
  }
  const httpHeaders = {
    ...(page.contentType === null ? {} : { 'Content-Type': page.contentType }),
    'Content-Length': String(content.length),
  }
  const statusline = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const response = WARCRecord.create({ ...common, type: 'response', httpHeaders, statusline }, [content])
  yield* serialize(response)
  const facts = Buffer.from(JSON.stringify({ item: page.seq, link: page.url, ...page.facts }))
  const id = response.warcHeader('WARC-Record-ID') ?? ''
  const warcHeaders = { 'Content-Type': 'application/json', 'WARC-Concurrent-To': id }
  yield* serialize(WARCRecord.create({ ...common, type: 'metadata', warcHeaders }, [facts]))
}

async function* serialize(record: WARCRecord): AsyncGenerator<Uint8Array> {
  yield await WARCSerializer.serialize(record, { gzip: true })
}
