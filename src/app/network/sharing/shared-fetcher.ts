import { z } from 'zod'
import type { Fetcher, FetchOutcome, FetchRequest } from '../../../crawler/fetch/fetcher.ts'
import { hostKey } from '../../../crawler/fetch/host-key.ts'
import { readSourceDocument } from '../../../listings/document.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, SECOND_MS } from '../../../model/index.ts'
import { canFollow, type ItemKeys } from '../../../network/index.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type FetchedContent, type HeldDocuments, MOST_DOCUMENT_BYTES } from './documents.ts'
import type { PeerClient } from './peer-client.ts'
import { sha256Of } from './peer-signature.ts'
import type { Roster } from './roster.ts'

export const DOCUMENT_PATH = '/peer/document'

/** What a peer answers for a source that it polls. */
export const passedDocument = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('resting'), forMs: z.number().min(0) }),
  z.object({ kind: z.literal('same'), ageMs: z.number().min(0) }),
  z.object({
    kind: z.literal('document'),
    ageMs: z.number().min(0),
    body: z.base64().max(2 * MOST_DOCUMENT_BYTES),
    status: z.int(),
    finalUrl: z.string().max(4_000),
    contentType: z.string().max(500).nullable(),
    etag: z.string().max(1_000).nullable(),
    lastModified: z.string().max(200).nullable(),
  }),
])
type PassedDocument = z.infer<typeof passedDocument>

export interface SharedFetcherDeps {
  readonly fetcher: Fetcher
  readonly roster: Roster
  readonly documents: HeldDocuments
  readonly client: Pick<PeerClient, 'call'>
  readonly clock: Pick<Clock, 'now'>
  /** A document of a common source has changed: the others are to be told. */
  readonly onNews: (url: string) => void
}

/** Keys of items, six letters each, as one text: there may be many sources. */
type PackedKeys = string

/** What is remembered of a source that a peer polls. */
interface Experience {
  /** When the origin was last asked from here, and what it showed. */
  direct: { readonly at: InstantMs; readonly keys: PackedKeys; readonly every: DurationMs | null } | null
  /** What the peer passed on last. */
  passed: { readonly keys: PackedKeys; readonly digest: string } | null
  lookedAt: InstantMs
  looks: number
  doubtedUntil: InstantMs
}

/** Where items have no dates, every so many looks one goes to the origin. */
const LOOKS_PER_CHECK = 4
const LONGEST_UNCHECKED_MS = DAY_MS
const DOUBT_MS = DAY_MS
/** A peer is believed no longer than this when it says that the origin wants to be left alone. */
const LONGEST_REST_MS = HOUR_MS
/** Who looks as often as the peer may be a little ahead of it. */
const SLACK_MS = 2 * SECOND_MS

/**
 * Of common sources one node asks the origin; the others get its document from that node, byte by byte. So all that follows (windows,
 * losses, deduplication) is as if they had asked themselves, and whenever a peer does not answer, is behind or is not believed, the
 * origin is asked: no item depends on a peer. What peers say is compared with the origin before half a window can have turned over.
 */
export class SharedFetcher implements Fetcher {
  readonly #deps: SharedFetcherDeps
  readonly #experience = new Map<string, Experience>()

  constructor(deps: SharedFetcherDeps) {
    this.#deps = deps
  }

  async fetch(request: FetchRequest): Promise<FetchOutcome> {
    const { roster, fetcher, onNews } = this.#deps
    const isPlain = request.basicAuth === null && Object.keys(request.headers).length === 0
    const poller = isPlain && roster.sources.has(request.url) ? roster.pollerOf(request.url) : null
    if (poller === null) return fetcher.fetch(request)
    return poller.isSelf ? this.#fetchForAll(request, onNews) : this.#fetchFrom(poller.node, request)
  }

  close(): Promise<void> {
    return this.#deps.fetcher.close()
  }

  /** Whole, so that it can be passed on: what was held is lost when the node starts again. */
  async #fetchForAll(request: FetchRequest, onNews: (url: string) => void = () => {}): Promise<FetchOutcome> {
    const { fetcher, documents, clock, roster } = this.#deps
    const { url } = request
    // What the origin says it may say from here on: others compare it with what they have seen themselves.
    const at = clock.now()
    for (const { node } of roster.sharersOf(url)) roster.count(node, 'asked')
    const document = documents.get(url)
    const isKnown = document !== undefined && document.content.etag === request.etag
    const conditions = isKnown ? {} : { etag: null, lastModified: null }
    const outcome = await fetcher.fetch({ ...request, acceptsDelta: false, ...conditions })
    if (outcome.kind === 'content' && documents.put(url, outcome, at)) onNews(url)
    else if (outcome.kind === 'not-modified') documents.touch(url, at)
    else if (outcome.kind === 'failed' && outcome.retryAt !== null) documents.rest(url, outcome.retryAt)
    return outcome
  }

  async #fetchFrom(node: string, request: FetchRequest): Promise<FetchOutcome> {
    const { clock, roster } = this.#deps
    const { url } = request
    const known = this.#experienceOf(url)
    const now = clock.now()
    const lookedBefore = known.lookedAt
    known.lookedAt = now
    known.looks++
    if (mustCheck(known, now)) return this.#check(node, known, request)
    const passed = await this.#ask(node, url, known)
    if (passed?.kind === 'resting') return resting(url, now + Math.min(LONGEST_REST_MS, passed.forMs))
    // It has not looked since we did: its word is worth no more than ours.
    if (passed === null || passed.kind === 'none' || now - passed.ageMs <= lookedBefore - SLACK_MS) {
      return this.#fetchForAll(request)
    }
    const keys = passed.kind === 'same' ? (known.passed?.keys ?? '') : keysOf(contentOf(passed, url)).keys
    const at = now - passed.ageMs
    const isTrue =
      known.direct === null || at <= known.direct.at || canFollow(unpacked(known.direct.keys), unpacked(keys))
    if (!isTrue) {
      known.doubtedUntil = now + DOUBT_MS
      roster.lied(node, now)
      return this.#check(node, known, request)
    }
    roster.count(node, 'passedOn')
    if (passed.kind === 'same') return unchanged(request)
    const content = contentOf(passed, url)
    known.passed = { keys, digest: sha256Of(content.body) }
    return content
  }

  /** Asks the origin, and compares what it shows with what the peer has passed on before. */
  async #check(node: string, known: Experience, request: FetchRequest): Promise<FetchOutcome> {
    const { roster, clock } = this.#deps
    const outcome = await this.#fetchForAll(request)
    known.looks = 0
    if (outcome.kind === 'failed') return outcome
    const now = clock.now()
    roster.count(node, 'checks')
    if (outcome.kind === 'not-modified') {
      if (known.direct !== null) known.direct = { ...known.direct, at: now }
      return outcome
    }
    const { keys, spanMs } = keysOf(outcome)
    if (known.passed !== null && !canFollow(unpacked(known.passed.keys), unpacked(keys)) && now >= known.doubtedUntil) {
      known.doubtedUntil = now + DOUBT_MS
      roster.lied(node, now)
    }
    known.direct = { at: now, keys, every: spanMs === null ? null : Math.min(LONGEST_UNCHECKED_MS, spanMs / 2) }
    return outcome
  }

  async #ask(node: string, url: string, { passed }: Experience): Promise<PassedDocument | null> {
    const { client, roster, clock } = this.#deps
    const peer = roster.peer(node)
    if (peer === null) return null
    const name = roster.names(node).byUrl.get(url)
    try {
      const answer = await client.call(peer, DOCUMENT_PATH, { source: name, have: passed?.digest ?? null })
      const read = passedDocument.parse(answer)
      // The same as what? Nothing was said to be here.
      return read.kind === 'same' && passed === null ? null : read
    } catch {
      roster.failed(node, clock.now())
      return null
    }
  }

  #experienceOf(url: string): Experience {
    const known = this.#experience.get(url)
    if (known !== undefined) return known
    const fresh = { direct: null, passed: null, lookedAt: 0, looks: 0, doubtedUntil: 0 }
    this.#experience.set(url, fresh)
    return fresh
  }
}

/** The first look goes to the origin; so does one before half of a window can have turned over. */
function mustCheck({ direct, looks, doubtedUntil }: Experience, now: InstantMs): boolean {
  if (direct === null || now < doubtedUntil) return true
  return direct.every === null ? looks >= LOOKS_PER_CHECK : now - direct.at >= direct.every
}

function keysOf({ body, contentType, finalUrl }: FetchedContent): {
  readonly keys: PackedKeys
  readonly spanMs: DurationMs | null
} {
  const { items } = readSourceDocument(body, { contentType, url: finalUrl })
  const times = items.flatMap(({ published, updated }) => published ?? updated ?? [])
  const isDated = times.length > 1 && times.length === items.length
  return {
    keys: items.map(({ id, link, title }) => sha256Of(id ?? link ?? title ?? '').slice(0, 6)).join(''),
    spanMs: isDated ? Math.max(...times) - Math.min(...times) : null,
  }
}

function unpacked(keys: PackedKeys): ItemKeys {
  return keys.match(/.{6}/g) ?? []
}

const NO_HINTS = { maxAgeMs: null, expiresAt: null }

function contentOf(passed: Extract<PassedDocument, { kind: 'document' }>, url: string): FetchedContent {
  const { status, contentType, etag, lastModified } = passed
  const body = Buffer.from(passed.body, 'base64')
  const finalUrl = hostKey(passed.finalUrl) === '' ? url : passed.finalUrl
  const answer = { permanentUrl: null, bytes: body.length, latencyMs: 0, hints: NO_HINTS }
  return { kind: 'content', status, finalUrl, body, contentType, etag, lastModified, ...answer }
}

function resting(url: string, retryAt: InstantMs): FetchOutcome {
  const message = 'the origin has asked a node that shares this source to wait'
  const answer = { status: 429, host: hostKey(url), bytes: 0, latencyMs: 0 }
  return { kind: 'failed', code: 'HTTP_TOO_MANY_REQUESTS', message, retryAt, ...answer }
}

function unchanged({ url, etag, lastModified }: FetchRequest): FetchOutcome {
  const answer = { permanentUrl: null, bytes: 0, latencyMs: 0, hints: NO_HINTS }
  return { kind: 'not-modified', status: 304, finalUrl: url, etag, lastModified, ...answer }
}
