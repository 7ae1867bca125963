import { retryAfter } from '../../http/retry-after.ts'
import { DAY_MS, type DurationMs, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CallbackClient } from '../hub/callback-client.ts'
import { encryptPush, type MessageSecrets } from '../webpush/encrypt.ts'
import { readPushKeys } from '../webpush/push-keys.ts'
import { type VapidKeys, vapidAuthorization } from '../webpush/vapid.ts'
import { type Channel, DELIVERY_DONE, type DeliveryOutcome, type Outgoing, retryLater } from './channel.ts'
import { noticeOf } from './push-notice.ts'

export interface WebPushOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly client: CallbackClient
  readonly vapid: VapidKeys
  /** Whom operators of push services can write to; null: nobody is named. */
  readonly contact: string | null
  /** New at every call. */
  readonly secrets: () => MessageSecrets
}

/** How long a push service keeps what it cannot deliver: who opens a browser after a week wants no flood. */
const KEPT_MS: DurationMs = DAY_MS
const MOST_IN_DIGEST = 200
const MESSAGE_HEADERS = {
  'content-encoding': 'aes128gcm',
  'content-type': 'application/octet-stream',
  ttl: String(KEPT_MS / SECOND_MS),
  urgency: 'normal',
} as const

/** One notification for each publication, or one for all of an interval (RFC 8030, 8291, 8292). */
export function createWebPushChannel({ clock, client, vapid, contact, secrets }: WebPushOptions): Channel {
  return {
    mostItems: (everyMs) => (everyMs === null ? 1 : MOST_IN_DIGEST),
    deliver,
    close: () => client.close(),
  }

  async function deliver(outgoing: Outgoing, signal: AbortSignal): Promise<DeliveryOutcome> {
    const plain = Buffer.from(JSON.stringify(noticeOf(outgoing)))
    const body = encryptPush(plain, readPushKeys(outgoing.secret), secrets())
    const authorization = vapidAuthorization(vapid, outgoing.target, contact, clock.now())
    const headers = { authorization, ...MESSAGE_HEADERS }
    const answer = await client.call({ method: 'POST', url: outgoing.target, headers, body }, signal)
    if (answer.status === null) return retryLater(answer.code, answer.detail)
    if (answer.status >= 200 && answer.status < 300) return DELIVERY_DONE
    const detail = `status ${answer.status}`
    // RFC 8030 §7.3: the browser has left, or the subscription has lapsed.
    if (answer.status === 404 || answer.status === 410)
      return { kind: 'ended', problem: { code: 'HTTP_GONE', message: detail } }
    const isRefusal = answer.status === 400 || answer.status === 413
    return retryLater('HTTP_UNEXPECTED', detail, { notBefore: retryAfter(answer.headers, clock.now()), isRefusal })
  }
}
