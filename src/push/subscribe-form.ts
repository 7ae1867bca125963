import { type PushSubscription, SECOND_MS } from '../model/index.ts'
import { LEASE_MS } from './life.ts'

/** Where hubs call, below the address under which others reach this node. */
const CALLBACK_PATH = '/push'

function callbackOf(baseUrl: string, key: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${CALLBACK_PATH}/${key}`
}

/** What is sent to subscribe, or to renew. */
export function subscribeForm(push: PushSubscription, baseUrl: string): URLSearchParams {
  const callback = callbackOf(baseUrl, push.key)
  return push.kind === 'websub' ? hubForm(push, callback) : cloudForm(push, callback)
}

/**
 * WebSub §5.1. The secret goes to hubs without TLS, too: who can read it there can read the callback beside it, and for everybody
 * else it still shows that a push is the hub's.
 */
function hubForm({ topic, secret }: PushSubscription, callback: string): URLSearchParams {
  return new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.callback': callback,
    'hub.topic': topic,
    'hub.lease_seconds': String(LEASE_MS / SECOND_MS),
    ...(secret === null ? {} : { 'hub.secret': secret }),
  })
}

/** rssCloud: the parts of the callback; with a domain the cloud verifies by a challenge. */
function cloudForm({ topic }: PushSubscription, callback: string): URLSearchParams {
  const { protocol, hostname, port, pathname } = new URL(callback)
  const isSafe = protocol === 'https:'
  return new URLSearchParams({
    notifyProcedure: '',
    protocol: isSafe ? 'https-post' : 'http-post',
    domain: hostname,
    port: port || (isSafe ? '443' : '80'),
    path: pathname,
    url1: topic,
  })
}
