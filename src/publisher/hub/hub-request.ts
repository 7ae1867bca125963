import { DAY_MS, type DurationMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'

/** What a subscriber asks of the hub (WebSub §5.1). */
export interface HubRequest {
  readonly mode: 'subscribe' | 'unsubscribe'
  readonly callback: string
  readonly topic: string
  /** 0 for an end: §5.1, what it says of a lease is ignored. */
  readonly leaseMs: DurationMs
  readonly secret: string | null
}

const LONGEST_ADDRESS = 2_000
/** §5.1: less than 200 bytes. */
const SECRET_BYTES = 200
const USUAL_LEASE_MS = 10 * DAY_MS
const SHORTEST_LEASE_MS = 5 * MINUTE_MS
/** §5.3.1: no lease is for ever. */
const LONGEST_LEASE_MS = 30 * DAY_MS

/** Reads the form; parameters that it does not know are ignored, as §5.1 asks. Throws HUB_REQUEST_INVALID. */
export function readHubRequest(form: URLSearchParams): HubRequest {
  const mode = single(form, 'hub.mode')
  if (mode !== 'subscribe' && mode !== 'unsubscribe') throw invalid('hub.mode is subscribe or unsubscribe')
  const topic = single(form, 'hub.topic')
  if (topic === null || topic.length > LONGEST_ADDRESS) throw invalid('hub.topic is the address of a feed of this node')
  const secret = single(form, 'hub.secret') || null
  if (secret !== null && Buffer.byteLength(secret) >= SECRET_BYTES) throw invalid('hub.secret has less than 200 bytes')
  return { mode, callback: readCallback(form), topic, leaseMs: mode === 'subscribe' ? readLease(form) : 0, secret }
}

function readCallback(form: URLSearchParams): string {
  const text = single(form, 'hub.callback') ?? ''
  const url = text.length > LONGEST_ADDRESS ? null : parseUrl(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || url.hash !== '') {
    throw invalid('hub.callback is an address with http or https, without user name, password and fragment')
  }
  return url.href
}

function readLease(form: URLSearchParams): DurationMs {
  const text = single(form, 'hub.lease_seconds')
  if (text === null || text === '') return USUAL_LEASE_MS
  if (!/^\d{1,15}$/.test(text)) throw invalid('hub.lease_seconds is a whole number')
  return Math.min(LONGEST_LEASE_MS, Math.max(SHORTEST_LEASE_MS, Number(text) * SECOND_MS))
}

function single(form: URLSearchParams, name: string): string | null {
  const all = form.getAll(name)
  if (all.length > 1) throw invalid(`${name} is given ${all.length} times`)
  return all[0] ?? null
}

function invalid(detail: string): HeadwaterError {
  return new HeadwaterError('HUB_REQUEST_INVALID', detail)
}

/** §5.1.1: parameters of the callback stay, and come first. */
export function withParameters(callback: string, parameters: Readonly<Record<string, string>>): string {
  return `${callback}${callback.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}
