import type { Fetcher, FetchOutcome } from '../../crawler/fetch/fetcher.ts'
import { readSourceDocument } from '../../listings/document.ts'
import type { ParseResult } from '../../model/index.ts'
import { ERRORS, HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { type NewSource, withSourceDefaults } from './import-sources.ts'

export type Content = Extract<FetchOutcome, { readonly kind: 'content' }>

export interface ReadFeed {
  /** Where it is for good. */
  readonly url: string
  readonly parsed: ParseResult
}

/** A person who pastes one address costs a site no more than this. */
const MOST_REQUESTS = 18

/** The requests that looking for one feed takes: each address once, and not too many of them. */
export class FeedRequests {
  readonly #settings: NewSource
  readonly #fetcher: Fetcher
  readonly #host: string
  readonly #outcomes = new Map<string, Promise<FetchOutcome>>()

  /** `page`: what was pasted; what the source is given to log in with is sent to its host alone. */
  constructor(settings: NewSource, fetcher: Fetcher, page: string) {
    this.#settings = settings
    this.#fetcher = fetcher
    this.#host = new URL(page).hostname
  }

  /** Nothing secret is sent, so that TLS may be missing: a password that was meant for TLS is not sent without it. */
  get isOpen(): boolean {
    return this.#settings.basicAuth == null && Object.keys(this.#settings.headers ?? {}).length === 0
  }

  /** null: there were too many already. */
  async fetch(url: string): Promise<FetchOutcome | null> {
    const known = this.#outcomes.get(url)
    if (known !== undefined) return known
    if (this.#outcomes.size >= MOST_REQUESTS) return null
    const { userAgent, proxyUrl, ...own } = withSourceDefaults(this.#settings)
    const isHere = parseUrl(url)?.hostname === this.#host
    const headers = isHere ? own.headers : {}
    const basicAuth = isHere ? own.basicAuth : null
    const request = { url, headers, basicAuth, userAgent, proxyUrl, etag: null, lastModified: null }
    const outcome = this.#fetcher.fetch(request)
    this.#outcomes.set(url, outcome)
    return outcome
  }

  /** null: no feed is there. */
  async read(url: string): Promise<ReadFeed | null> {
    const fetched = await this.fetch(url)
    return fetched?.kind === 'content' ? readContent(url, fetched) : null
  }

  /** What was answered at this address before; null: no document. */
  async document(url: string): Promise<Content | null> {
    const fetched = await this.#outcomes.get(url)
    return fetched?.kind === 'content' ? fetched : null
  }
}

/** null: it is no feed. */
export function readContent(url: string, fetched: Content): ReadFeed | null {
  const parsed = readSourceDocument(fetched.body, { contentType: fetched.contentType, url: fetched.finalUrl })
  return parsed.format === 'unknown' ? null : { url: fetched.permanentUrl ?? url, parsed }
}

/** Throws why there is none. */
export function contentOf(url: string, fetched: FetchOutcome | null): Content {
  if (fetched === null) throw new HeadwaterError('SOURCE_NO_FEED_FOUND', url)
  if (fetched.kind === 'content') return fetched
  if (fetched.kind === 'not-modified') throw new HeadwaterError('HTTP_UNEXPECTED', url)
  throw new HeadwaterError(fetched.code, `${url}${causeOf(fetched)}`)
}

/** What the summary of the code and the address do not say already. */
function causeOf({ code, message, status }: Extract<FetchOutcome, { readonly kind: 'failed' }>): string {
  const cause = message
    .replace(`${ERRORS[code].summary}: `, '')
    .replace(/ \([^()\s]*\)$/, '')
    .trim()
  return cause === '' || status !== null || ERRORS[code].summary.includes(cause) ? '' : ` (${cause})`
}
