import { createHash } from 'node:crypto'
import type { PushDoor } from '../../api/push-routes.ts'
import { MINUTE_MS, type PushSubscription } from '../../model/index.ts'
import { afterRefusal, afterVerification } from '../../push/life.ts'
import { isSigned } from '../../push/signature.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { PushStore, PushVerdict } from '../../store/pushes.ts'

export interface PushDoorDeps {
  readonly store: Pick<PushStore, 'pushByKey' | 'changePush' | 'recordPush'>
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
}

/** As `randomSecret` makes them. */
const KEY = /^[\w-]{32}$/
const LONGEST_CHALLENGE = 2_000
/** Of one hub for one feed: one that says more has nothing to say. */
const MOST_A_MINUTE = 60

/** Takes what hubs send, and writes down that a source has news: whichever process has the source fetches it. */
export function createPushDoor({ store, clock }: PushDoorDeps): PushDoor {
  let calls = new Map<string, number>()
  let minuteEndsMs = Number.NEGATIVE_INFINITY

  return { admit, verify, receive }

  async function known(key: string): Promise<PushSubscription | null> {
    return KEY.test(key) ? store.pushByKey(key) : null
  }

  async function admit(key: string): Promise<void> {
    if ((await known(key)) === null) throw new HeadwaterError('PUSH_UNKNOWN')
    if (clock.monotonicMs() >= minuteEndsMs) {
      calls = new Map()
      minuteEndsMs = clock.monotonicMs() + MINUTE_MS
    }
    const count = (calls.get(key) ?? 0) + 1
    calls.set(key, count)
    if (count > MOST_A_MINUTE) throw new HeadwaterError('PUSH_TOO_MANY')
  }

  async function verify(key: string, query: Readonly<Record<string, unknown>>): Promise<string> {
    const push = await known(key)
    if (push === null) throw new HeadwaterError('PUSH_UNWANTED')
    const now = clock.now()
    if (query['hub.mode'] === 'denied' && query['hub.topic'] === push.topic) {
      const why = `the hub refuses: ${text(query['hub.reason']).slice(0, 200) || 'it gives no reason'}`
      await store.changePush(key, afterRefusal({ ...push, leaseEndsAt: null }, why, now, 1), now)
      return ''
    }
    const isAsked = push.kind === 'websub' ? query['hub.mode'] === 'subscribe' : query['url'] !== undefined
    const topic = push.kind === 'websub' ? query['hub.topic'] : query['url']
    const challenge = text(push.kind === 'websub' ? query['hub.challenge'] : query['challenge'])
    const isWhole = challenge !== '' && challenge.length <= LONGEST_CHALLENGE
    if (!isAsked || topic !== push.topic || !isWhole) throw new HeadwaterError('PUSH_UNWANTED')
    const leaseS = Number(text(query['hub.lease_seconds']) || Number.NaN)
    await store.changePush(key, afterVerification(push.kind, leaseS > 0 ? leaseS : null, now), now)
    return challenge
  }

  async function receive(key: string, { signature, body }: Parameters<PushDoor['receive']>[1]): Promise<PushVerdict> {
    const push = await known(key)
    if (push === null) throw new HeadwaterError('PUSH_UNKNOWN')
    const at = clock.now()
    if (push.kind === 'rsscloud') {
      const isGenuine = new URLSearchParams(body.toString()).get('url') === push.topic
      return store.recordPush(key, { at, digest: null, isGenuine })
    }
    // A secret that cannot be read proves nothing; the subscription is made anew when it is due.
    const isGenuine = push.secret !== null && isSigned(body, signature, push.secret)
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    return store.recordPush(key, { at, digest, isGenuine })
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
