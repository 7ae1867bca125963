import { createHash } from 'node:crypto'
import type { ImageProxy, ProxiedImage } from '../../api/image-routes.ts'
import { roomSizeFor } from '../../crawler/fetch/body-memory.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import { createFetcher } from '../../crawler/fetch/http.ts'
import { DAY_MS, type DurationMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { createByteCache } from '../../publisher/byte-cache.ts'
import { openSignedImage } from '../../publisher/images/image-address.ts'
import { pictureType } from '../../publisher/images/picture-type.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type ErrorCode, HeadwaterError } from '../../runtime/errors.ts'
import { spareHeapBytes } from '../../runtime/heap.ts'
import { createWorkQueue } from '../../runtime/work-queue.ts'
import { textState } from '../../store/node-state.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { sealedKey } from '../data/sealed-key.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'

export interface RunningImageProxy extends ImageProxy {
  close(): Promise<void>
}

export interface ImageProxyDeps {
  readonly config: Config
  readonly clock: Clock
  /** What addresses are signed with. */
  readonly key: string
}

const IMAGE_KEY = textState('image-key')

/** What addresses of pictures are signed with. Where it is lost, feeds have to be read again before their pictures show. */
export function imageKey(data: Pick<OpenedData, 'store' | 'vault'>): Promise<string> {
  return sealedKey(IMAGE_KEY, data)
}

const LARGEST_BYTES = 10 * 1024 ** 2
const MOST_CACHE_BYTES = 32 * 1024 ** 2
const SPARE_PER_CACHE = 32
/** An article with many pictures asks for all of them at once. */
const AT_ONCE = 16
const MOST_WAITING = 200
const TIMEOUT_MS: DurationMs = 20 * SECOND_MS
const DEADLINE_MS: DurationMs = 30 * SECOND_MS
const KEPT_MS: DurationMs = DAY_MS
/** Readers come back to an article whose picture is gone. */
const FAILED_MS: DurationMs = MINUTE_MS

const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif, image/*;q=0.5'

type Fetched = { readonly atMs: DurationMs } & (
  | { readonly kind: 'image'; readonly image: ProxiedImage }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly detail: string }
)

/** No cookies, no referrer, nothing of the reader's: one request of the node's own, behind its address guard. */
export function createImageProxy({ config, clock, key }: ImageProxyDeps): RunningImageProxy {
  const spareBytes = spareHeapBytes()
  const fetcher = createFetcher({
    clock,
    bodyMemory: roomSizeFor(spareBytes, AT_ONCE),
    allowRanges: config.allowRange,
    maxBodyBytes: LARGEST_BYTES,
    totalTimeoutMs: TIMEOUT_MS,
    connectionsPerHost: 4,
    userAgent: userAgentOf(config),
  })
  const cache = createByteCache<Fetched>(Math.min(MOST_CACHE_BYTES, spareBytes / SPARE_PER_CACHE))
  const underWay = new Map<string, Promise<Fetched>>()
  const queue = createWorkQueue({
    name: 'pictures',
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    deadlineMs: DEADLINE_MS,
  })

  const fetchOnce = (url: string): Promise<Fetched> => {
    const known = underWay.get(url)
    if (known !== undefined) return known
    const fetching = queue
      .run((signal) => fetchPicture(url, fetcher, clock, signal))
      .then((fetched) => {
        cache.set(url, fetched, fetched.kind === 'image' ? fetched.image.body.length + 1_000 : 1_000)
        return fetched
      })
      .finally(() => underWay.delete(url))
    underWay.set(url, fetching)
    return fetching
  }

  return {
    async get(signature, address) {
      const url = openSignedImage(key, signature, address)
      if (url === null) throw new HeadwaterError('IMAGE_NOT_FOUND')
      const cached = cache.get(url)
      const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() - cached.atMs
      const isFresh = ageMs < (cached?.kind === 'image' ? KEPT_MS : FAILED_MS)
      const fetched = cached !== undefined && isFresh ? cached : await fetchOnce(url)
      if (fetched.kind === 'failed') throw new HeadwaterError(fetched.code, fetched.detail)
      return fetched.image
    },
    close: () => fetcher.close(),
  }
}

async function fetchPicture(url: string, fetcher: Fetcher, clock: Clock, signal: AbortSignal): Promise<Fetched> {
  const fetched = await fetcher.fetch({
    url: withoutCredentials(url),
    headers: { accept: ACCEPT },
    basicAuth: null,
    userAgent: null,
    proxyUrl: null,
    etag: null,
    lastModified: null,
    signal,
  })
  const atMs = clock.monotonicMs()
  if (fetched.kind === 'failed') return { kind: 'failed', code: fetched.code, detail: url, atMs }
  const type = fetched.kind === 'content' ? pictureType(fetched.body) : null
  if (fetched.kind !== 'content' || type === null) return { kind: 'failed', code: 'IMAGE_UNUSABLE', detail: url, atMs }
  const body = Buffer.from(fetched.body)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`
  return { kind: 'image', image: { type, body, etag }, atMs }
}
