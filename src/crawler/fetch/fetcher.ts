import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { ErrorCode } from '../../runtime/errors.ts'
import type { BodyLease } from './body-memory.ts'

export interface FetchRequest {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
  /** Only what is new since `etag` is enough. */
  readonly acceptsDelta?: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly basicAuth: { readonly user: string; readonly password: string } | null
  readonly userAgent: string | null
  readonly proxyUrl: string | null
  /** The beginning is all that is wanted: a longer body is read so far, and is then no failure. */
  readonly enoughBytes?: number
  /** By what the answer says of its type; where it is not wanted it is not read, and empty. Absent: it is. */
  readonly wantsBody?: (contentType: string | null) => boolean
  /** More than the fetcher lets in is never read. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** Called where it had to wait for its turn at the first host, when that is there (politeness/polite-fetcher.ts). */
  readonly onAdmitted?: () => void
  /**
   * Called before each request after a redirect to be polite to that host too, and before the one repetition when a server
   * had hung up on a kept connection; resolves with a function to call when the hop is over. The first request has been
   * admitted by the caller. Waiting here does not count against the time limit; a rejection fails the fetch, with the
   * code of a HeadwaterError.
   */
  readonly enterHop?: (url: URL, signal: AbortSignal) => Promise<() => void>
  readonly watch?: FetchWatch
}

/** The caller's side of a fetch: it learns how long the host lets it wait, and processes the body. */
export interface FetchWatch {
  /** Room in memory for what fetches bring, set by the first that needs some; the watcher releases it. */
  lease: BodyLease | null
  /** The host is being waited for, after so much of it before; `callOff` ends the fetch with FETCH_ABORTED. */
  onRoad(spentMs: DurationMs, callOff: () => void): void
  /** It is over, or waits for something of ours. */
  offRoad(): void
}

/** What HTTP says about when to come back. */
export interface HttpHints {
  readonly maxAgeMs: DurationMs | null
  readonly expiresAt: InstantMs | null
  /** Links of the header (WebSub §4): hubs, and the address that the feed goes by there. Absent: none. */
  readonly hubs?: readonly string[]
  readonly selfUrl?: string
  /** Alternates of a feed's type (RFC 8288), which a page may name there as well. */
  readonly feeds?: readonly string[]
}

interface Answer {
  readonly status: number
  /** After redirects. */
  readonly finalUrl: string
  /**
   * The last address that was reached by permanent redirects (301, 308) alone: the source's new one. With the log-in of
   * the old address if that had one and the origin is the same, because it would be lost otherwise.
   */
  readonly permanentUrl: string | null
  readonly bytes: number
  readonly latencyMs: DurationMs
  readonly hints: HttpHints
}

export type FetchOutcome =
  | (Answer & {
      readonly kind: 'content'
      readonly body: Uint8Array
      readonly contentType: string | null
      readonly etag: string | null
      readonly lastModified: string | null
    })
  | (Answer & { readonly kind: 'not-modified'; readonly etag: string | null; readonly lastModified: string | null })
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      /** For people; holds no secret of the request. */
      readonly message: string
      readonly status: number | null
      /** Retry-After, in either form, as a moment; the host wants rest until then (429, 503). */
      readonly retryAt: InstantMs | null
      /** Host that answered or failed: the one that a Retry-After is about. */
      readonly host: string
      readonly bytes: number
      readonly latencyMs: DurationMs
    }

/** Gets one document over HTTP, politely and safely. Failures are values: fetch never rejects. */
export interface Fetcher {
  fetch(request: FetchRequest): Promise<FetchOutcome>
  close(): Promise<void>
}
