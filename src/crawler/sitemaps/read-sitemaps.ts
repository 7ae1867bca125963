import type { ParsedItem, ParseResult, Source } from '../../model/index.ts'
import { DAY_MS } from '../../model/index.ts'
import type { FetchRequest } from '../fetch/fetcher.ts'
import { type RepairDeps, readDocumentAt } from '../repair/read-older-pages.ts'

/** Sitemaps of an index that one refresh reads; each is a request that politeness admits and the budget pays. */
const MOST_SITEMAPS = 3
/** Some are dated by the day. */
const SLACK_MS = DAY_MS

export interface SitemapsReading {
  readonly items: readonly ParsedItem[]
  readonly requests: number
  readonly bytes: number
}

/** The items of those sitemaps that may have changed since the last refresh, newest first. */
export async function readSitemaps(
  index: ParseResult,
  source: Source,
  url: string,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: RepairDeps,
): Promise<SitemapsReading> {
  const items: ParsedItem[] = []
  let requests = 0
  let bytes = 0
  for (const sitemap of sitemapsToRead(index, source)) {
    const read = await readDocumentAt(sitemap, source, url, request, deps)
    if (read.kind === 'later') break
    requests++
    bytes += read.bytes
    // An index of indexes would have no end.
    if (read.kind === 'document' && read.parsed.format === 'sitemap') items.push(...read.parsed.items)
  }
  return { items: newestFirst(items), requests, bytes }
}

function sitemapsToRead({ items }: ParseResult, { state }: Source): string[] {
  const since = state.lastSuccessAt === null ? 0 : state.lastSuccessAt - SLACK_MS
  const changed = items.filter(({ updated }) => updated === null || updated >= since)
  return changed.flatMap(({ link }) => link ?? []).slice(0, MOST_SITEMAPS)
}

function newestFirst(items: ParsedItem[]): ParsedItem[] {
  const at = ({ published }: ParsedItem) => published ?? 0
  return items.sort((a, b) => at(b) - at(a))
}
