import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Fetcher, FetchOutcome, FetchRequest } from '../crawler/fetch/fetcher.ts'
import type { DuePage, InstantMs, Item, Random, Source, SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { type ErrorCode, HeadwaterError } from '../runtime/errors.ts'
import type { PageRecord } from '../store/item-pages.ts'
import type { Store } from '../store/store.ts'
import type { ArticleExtractor, ArticlePage, Extraction, SiteRule } from './article.ts'
import { typeSays } from './extract/page/html-type.ts'
import type { PageCategories } from './page-category.ts'
import { afterExtraction, afterPageFailure, afterUnchangedPage, nextLook, postponePage } from './page-outcome.ts'
import type { RobotsAnswer } from './robots.ts'

/** What takes articles out of pages here. */
export type PageReader = Pick<ArticleExtractor, 'extract' | 'close'>

export interface VisitDeps {
  readonly store: Pick<Store, 'itemsBySeq' | 'sourcesById'>
  /** Waits for its turn at each host. */
  readonly fetcher: Pick<Fetcher, 'fetch'>
  readonly robots: { ask(url: string, signal: AbortSignal): Promise<RobotsAnswer> }
  readonly extractor: Pick<ArticleExtractor, 'extract'>
  /** Those that people have made, at this moment. */
  readonly rules: () => Promise<readonly SiteRule[]>
  readonly categories: Pick<PageCategories, 'choose'>
  /** When the host of an address may be asked, as it is known now. */
  readonly freeAt: (url: string) => InstantMs
  /** Waits until a page of a source is paid for, and is told when it goes out; null: whoever pays for the source cannot before long. */
  readonly pay: (sourceId: SourceId, signal: AbortSignal) => Promise<{ goesOut(): void } | null>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly random: Random
}

/** Longer than this nobody waits for a host that rests: others are visited meanwhile. */
const PATIENCE_MS = 20_000
const ACCEPT = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1'
const compress = promisify(gzip)

/**
 * Fetches a page and takes the article out of it. null: it was called off, or its item is gone; `unpaid`: nothing was requested, because
 * nobody could pay for it.
 */
export async function visitPage(
  page: DuePage,
  deps: VisitDeps,
  signal: AbortSignal,
): Promise<PageRecord | 'unpaid' | null> {
  const { store, clock, freeAt } = deps
  const [[item], sources] = await Promise.all([store.itemsBySeq([page.seq]), store.sourcesById([page.sourceId])])
  const source = sources.get(page.sourceId)
  if (item === undefined || source === undefined) return null
  const moment = () => momentOf(item, source, deps)
  const failWith = (code: ErrorCode, { status = null, retryAt = null }: Partial<Failed> = {}) =>
    afterPageFailure(page, { code, status, retryAt }, moment())

  const until = freeAt(page.url)
  if (until - clock.now() > PATIENCE_MS) return postponePage(page, until, clock.now())
  // Never without its log-in: the site would see a stranger, and might show what strangers get.
  if (source.isLocked && isOfSource(page, source)) return failWith('CREDENTIALS_LOCKED')
  const refusal = refusalOf(await deps.robots.ask(page.url, signal))
  if (signal.aborted) return null
  if (refusal !== null) return failWith(refusal)
  // First the host, then the budget: what is paid for is to go out soon.
  const waitMs = freeAt(page.url) - clock.now()
  if (waitMs > PATIENCE_MS) return postponePage(page, clock.now() + waitMs, clock.now())
  if (waitMs > 0) await clock.sleep(waitMs, signal)
  const paid = await deps.pay(page.sourceId, signal)
  if (signal.aborted) return null
  if (paid === null) return 'unpaid'

  const request = { ...requestFor(page, source), onAdmitted: () => paid.goesOut(), enterHop: askRobots(deps) }
  const fetched = await deps.fetcher.fetch({ ...request, signal })
  if (signal.aborted) return null
  if (fetched.kind === 'failed') return failWith(fetched.code, fetched)
  if (fetched.kind === 'not-modified') return afterUnchangedPage(page, fetched.status, moment())
  const { finalUrl, status, contentType, body, etag, lastModified } = fetched
  const extraction = await extractSafely(deps, { url: finalUrl, contentType, body })
  const judged =
    extraction.kind === 'failure'
      ? extraction
      : { ...extraction, category: await deps.categories.choose(extraction.article, item) }
  if (signal.aborted) return null
  const found = { finalUrl, status, contentType, etag, lastModified, body: await compress(body) }
  return afterExtraction(page, found, judged, item, moment())
}

function momentOf(item: Item, source: Source, { clock, random }: Pick<VisitDeps, 'clock' | 'random'>) {
  const now = clock.now()
  return { now, random, nextLookAt: source.pages === 'follow' ? nextLook(item, now) : null }
}

type Failed = Pick<Extract<FetchOutcome, { kind: 'failed' }>, 'status' | 'retryAt'>

/** A redirect may lead to where no robot is wanted. */
function askRobots({ robots }: VisitDeps): NonNullable<FetchRequest['enterHop']> {
  return async (url, signal) => {
    const refusal = refusalOf(await robots.ask(url.href, signal))
    if (refusal !== null && !signal.aborted) throw new HeadwaterError(refusal, url.host)
    return () => {}
  }
}

function refusalOf(answer: RobotsAnswer): ErrorCode | null {
  if (answer === 'allowed') return null
  return answer === 'disallowed' ? 'PAGE_ROBOTS' : 'PAGE_ROBOTS_UNREACHABLE'
}

/** What breaks the extractor must not come again and again. */
async function extractSafely({ extractor, rules }: VisitDeps, page: ArticlePage): Promise<Extraction> {
  try {
    return await extractor.extract(page, await rules())
  } catch {
    return { kind: 'failure', reason: 'too-costly' }
  }
}

function isOfSource({ url }: DuePage, source: Source): boolean {
  return new URL(url).origin === new URL(source.url).origin
}

/** Headers and log-in of a source are for its own site alone. */
function requestFor(page: DuePage, source: Source): FetchRequest {
  const { userAgent, proxyUrl } = source
  const isOwn = isOfSource(page, source)
  return {
    url: page.url,
    etag: page.known?.etag ?? null,
    lastModified: page.known?.lastModified ?? null,
    headers: isOwn ? { ...source.headers, accept: ACCEPT } : { accept: ACCEPT },
    basicAuth: isOwn ? source.basicAuth : null,
    userAgent,
    proxyUrl,
    // An episode or a film is no page: nobody pays for its bytes.
    wantsBody: (contentType) => typeSays(contentType) !== 'else',
  }
}
