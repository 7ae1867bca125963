import type { RobotsAnswer } from '../articles/robots.ts'
import type { FetchOutcome, FetchRequest } from '../crawler/fetch/fetcher.ts'
import type { Source } from '../model/index.ts'
import { parseUrl } from '../runtime/parse-url.ts'
import { readPageLinks } from '../sources/discover.ts'
import type { IconFinding } from './icon-outcome.ts'
import { MOST_FETCHED_BYTES, readIcon } from './read-icon.ts'

export interface IconVisitDeps {
  /** Pays for it, waits for its turn at the host, and sends it. */
  readonly fetch: (request: FetchRequest) => Promise<FetchOutcome>
  readonly robots: { ask(url: string, signal: AbortSignal): Promise<RobotsAnswer> }
}

const MOST_PAGE_BYTES = 2 * 1024 ** 2
const LONGEST_ADDRESS = 2_000
const ACCEPT_PICTURE = 'image/png, image/webp, image/gif, image/jpeg, image/x-icon, image/*;q=0.1'
const ACCEPT_PAGE = 'text/html, application/xhtml+xml;q=0.9'
/** Of a page: who names more will not have meant all of them. */
const MOST_TRIED = 2

/** The icon that the feed names, else that of the site's page, else the one at the usual place. null: it was called off. */
export async function visitIcon(source: Source, deps: IconVisitDeps, signal: AbortSignal): Promise<IconFinding | null> {
  const visit = new Visit(source, deps, signal)
  const declared = ofWeb(source.state.iconUrl)
  const site = ofWeb(source.state.siteUrl) ?? rootOf(source.url)
  const found =
    (declared !== null && (await visit.picture(declared))) ||
    (site !== null && ((await visit.ofPage(site)) || (await visit.picture(new URL('/favicon.ico', site).href))))
  if (signal.aborted) return null
  return found || visit.nothing()
}

/** One look: remembers what was asked for, and why it was no use. */
class Visit {
  readonly #source: Source
  readonly #deps: IconVisitDeps
  readonly #signal: AbortSignal
  readonly #tried = new Set<string>()
  #isUnreachable = false
  #code = 'IMAGE_UNUSABLE'

  constructor(source: Source, deps: IconVisitDeps, signal: AbortSignal) {
    this.#source = source
    this.#deps = deps
    this.#signal = signal
  }

  nothing(): IconFinding {
    return { kind: this.#isUnreachable ? 'failure' : 'none', code: this.#code }
  }

  async picture(url: string): Promise<IconFinding | null> {
    const content = await this.#get(url, ACCEPT_PICTURE, MOST_FETCHED_BYTES)
    const icon = content === null ? null : readIcon(content.body)
    if (content !== null && icon === null) this.#code = 'IMAGE_UNUSABLE'
    return icon === null ? null : { kind: 'found', icon }
  }

  async ofPage(url: string): Promise<IconFinding | null> {
    const page = await this.#get(url, ACCEPT_PAGE, MOST_PAGE_BYTES)
    if (page === null || !/html/i.test(page.contentType ?? 'html')) return null
    const { icons } = readPageLinks(new TextDecoder().decode(page.body), page.finalUrl)
    for (const icon of icons.filter((one) => ofWeb(one) !== null).slice(0, MOST_TRIED)) {
      const found = await this.picture(icon)
      if (found !== null) return found
    }
    return null
  }

  /** null: nothing came of it. Headers and log-in of the source are for its own document alone. */
  async #get(url: string, accept: string, maxBytes: number) {
    if (this.#tried.has(url) || this.#signal.aborted) return null
    this.#tried.add(url)
    const robots = await this.#deps.robots.ask(url, this.#signal)
    if (this.#signal.aborted) return null
    if (robots !== 'allowed') return this.#fail('PAGE_ROBOTS', robots === 'unreachable')
    const { userAgent, proxyUrl } = this.#source
    const plain = { etag: null, lastModified: null, headers: { accept }, basicAuth: null, userAgent, proxyUrl }
    const fetched = await this.#deps.fetch({ ...plain, url, maxBytes, signal: this.#signal })
    if (fetched.kind === 'content') return fetched
    return fetched.kind === 'failed' ? this.#fail(fetched.code, mayHelp(fetched)) : null
  }

  #fail(code: string, isUnreachable: boolean): null {
    this.#code = code
    this.#isUnreachable ||= isUnreachable
    return null
  }
}

/** Whether another day may bring more: not what is too large, forbidden or not there. */
function mayHelp({ status, code }: Extract<FetchOutcome, { kind: 'failed' }>): boolean {
  if (status !== null) return status >= 500 || status === 429
  return code !== 'FETCH_TOO_LARGE' && code !== 'FETCH_ADDRESS_REFUSED'
}

function ofWeb(url: string | null | undefined): string | null {
  if (!url || url.length > LONGEST_ADDRESS) return null
  const { protocol, href } = parseUrl(url) ?? { protocol: '', href: '' }
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

function rootOf(url: string): string | null {
  const address = ofWeb(url)
  return address === null ? null : new URL('/', address).href
}
