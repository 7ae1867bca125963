import { t } from '../language/current.ts'
import { call } from './call.ts'
import { NotifyRefused } from './problem.ts'

/** Notifications need the service worker, so a connection that the browser trusts: TLS, or this machine. */
export function canNotify(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Where the push service of this browser takes messages; null: it has not subscribed. */
export async function ownEndpoint(): Promise<string | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null
}

/** Has the items of a query feed shown as notifications in this browser. Throws a refusal in words. */
export async function notifyOf(feed: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new NotifyRefused(t.problems.notAllowed, t.problems.allowThem)
  const { key } = await call('showPushKey')
  const { endpoint, keys } = await subscribed(key)
  await call('subscribe', { body: { feed, output: { kind: 'webpush', endpoint, keys }, everyMs: null } })
}

async function subscribed(key: string) {
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  // Of another key, or of one that the node has lost: nothing would arrive.
  if (known !== null && !isOf(known, key)) await known.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new NotifyRefused(t.problems.cannotSubscribe({ why }), t.problems.pushReachable)
    })
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

function isOf({ options }: PushSubscription, key: string): boolean {
  if (options.applicationServerKey === null) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key
}
