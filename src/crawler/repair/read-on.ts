import type { ItemKey, OpenGap, Source } from '../../model/index.ts'
import type { DedupResult } from '../dedup/deduplicate.ts'
import type { FetchRequest } from '../fetch/fetcher.ts'
import { nextOlderPage, type OlderPage } from './older-pages.ts'
import { type RepairDeps, readPage } from './read-older-pages.ts'

/** What older pages brought that an earlier refresh had left for later. */
export interface ReadOn {
  /** Oldest first. */
  readonly added: DedupResult['added']
  readonly requests: number
  readonly bytes: number
  /** What is still left; null: nothing. */
  readonly openGap: OpenGap | null
}

/** Can it be known where the gap ends? Pages move on while a feed publishes; archives (RFC 5005 §4) do not. */
export function canReadOn({ page, since }: Pick<OpenGap, 'page' | 'since'>): boolean {
  return since > 0 || page.how === 'archive'
}

/**
 * Reads on where an earlier refresh had to stop, until something from before the gap is shown. What was archived since is
 * known, too, and says nothing: only dates, or the fixed pages of an archive, show the difference.
 */
export async function readOn(
  source: Source,
  gap: OpenGap,
  request: Pick<FetchRequest, 'signal' | 'enterHop'>,
  deps: RepairDeps,
): Promise<ReadOn> {
  const pages: DedupResult['added'][] = []
  const seen = new Set<ItemKey>()
  let page: OlderPage | null = gap.page
  let requests = 0
  let bytes = 0
  while (page !== null && requests < deps.mostPages) {
    const read = await readPage(page, source, source.url, request, deps)
    if (read.kind === 'later') break
    requests++
    bytes += read.bytes
    if (read.kind === 'end') {
      page = null
      break
    }
    const fresh = read.dedup.added.filter(
      ({ key, item }) => !seen.has(key) && (item.published ?? Number.POSITIVE_INFINITY) >= gap.since,
    )
    for (const { key } of fresh) seen.add(key)
    pages.push(fresh)
    page = reachesBefore(read.dedup, gap) ? null : nextOlderPage(page, read.feed)
  }
  const added = pages.reverse().flat()
  if (added.every(({ item }) => item.published !== null)) {
    added.sort((a, b) => (a.item.published ?? 0) - (b.item.published ?? 0))
  }
  const lost = Math.max(0, gap.lost - added.length)
  return { added, requests, bytes, openGap: page === null ? null : { ...gap, page, lost } }
}

function reachesBefore({ window, knownAgain, added }: DedupResult, { page, since }: OpenGap): boolean {
  if (page.how === 'archive' && knownAgain > 0) return true
  if (added.length === 0 && knownAgain === 0) return true
  return since > 0 && window.some(({ published }) => published !== null && published <= since)
}
