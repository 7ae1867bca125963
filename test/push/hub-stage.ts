import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RunningNode } from '../../src/app/node.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { PushSubscription } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { onNode } from '../settings/one-node.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'

/** A publisher with a feed and a hub of its own, beside a node that follows the feed. */
export interface HubStage {
  readonly node: RunningNode
  readonly feedUrl: string
  /** Requests to the hub, as forms. */
  readonly forms: URLSearchParams[]
  /** Requests for the feed. */
  readonly fetches: IncomingMessage[]
  publish(guid: string): void
  subscription(): Promise<PushSubscription>
  /** Waits until the node has asked the hub, then verifies as a hub does. */
  verify(changes?: Readonly<Record<string, string>>): Promise<Response>
  push(
    body: string,
    options?: { readonly method?: string; readonly secret?: string; readonly signature?: string | null },
  ): Promise<Response>
  items(): Promise<number>
}

export interface StageOptions {
  /** In place of what the feed says of itself: its channel, and headers of its answer. */
  readonly channel?: (base: string) => string
  readonly headers?: (base: string) => Record<string, string>
  readonly document?: (base: string, guids: readonly string[]) => string
  /** How the hub answers; 202 if not said. */
  readonly hub?: (request: IncomingMessage, response: ServerResponse) => void
  readonly flags?: Readonly<Record<string, unknown>>
}

export async function onHubStage<Value>(
  options: StageOptions,
  look: (stage: HubStage) => Promise<Value>,
): Promise<Value> {
  const forms: URLSearchParams[] = []
  const fetches: IncomingMessage[] = []
  const guids = ['first']
  const site = await startServer((request, response) => {
    if (request.url?.startsWith('/hub')) {
      let text = ''
      request.on('data', (chunk) => (text += chunk))
      request.on('end', () => {
        forms.push(new URLSearchParams(text))
        if (options.hub === undefined) response.writeHead(202).end()
        else options.hub(request, response)
      })
      return
    }
    fetches.push(request)
    const base = site.url('')
    const document =
      options.document ?? ((at: string, all: readonly string[]) => rss((options.channel ?? hubLinks)(at), all))
    response.writeHead(200, options.headers?.(base) ?? {}).end(document(base, guids))
  })
  try {
    return await onNode({ budget: '50/s', ...options.flags }, async ({ node }) => {
      const { store } = node.data
      const feedUrl = site.url('/feed')
      await store.addSources([withSourceDefaults({ url: feedUrl })], systemClock.now())
      const subscription = async () => {
        let found: PushSubscription | undefined
        await eventually(async () => {
          found = (await store.pushes({ limit: 1 }))[0]
          return found !== undefined
        })
        if (found === undefined) throw new Error('nobody subscribed')
        return found
      }
      const callback = async () => `${node.url}/push/${(await subscription()).key}`
      return look({
        node,
        feedUrl,
        forms,
        fetches,
        publish: (guid) => void guids.unshift(guid),
        subscription,
        async verify(changes = {}) {
          await eventually(() => forms.length > 0)
          const { topic } = await subscription()
          const query = {
            'hub.mode': 'subscribe',
            'hub.topic': topic,
            'hub.challenge': 'c h&<',
            'hub.lease_seconds': '3600',
          }
          return fetch(`${await callback()}?${new URLSearchParams({ ...query, ...changes })}`)
        },
        async push(body, { method = 'sha256', secret, signature } = {}) {
          const { secret: own } = await subscription()
          const signed =
            signature === undefined ? signatureOf(Buffer.from(body), secret ?? own ?? '', method) : signature
          const headers = {
            'content-type': 'application/rss+xml',
            ...(signed !== null && { 'x-hub-signature': signed }),
          }
          return fetch(await callback(), { method: 'POST', body, headers })
        },
        items: async () => (await store.counts()).items,
      })
    })
  } finally {
    await site.close()
  }
}

export function rss(channel: string, guids: readonly string[], idOf = (guid: string) => guid): string {
  const items = guids.map((guid) => `<item><guid>${idOf(guid)}</guid><title>${guid}</title></item>`).join('')
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title>${channel}${items}</channel></rss>`
}

function hubLinks(base: string): string {
  return `<atom:link rel="hub" href="${base}/hub"/><atom:link rel="self" href="${base}/feed"/>`
}

function signatureOf(body: Buffer, secret: string, method: string): string {
  return `${method}=${createHmac(method, secret).update(body).digest('hex')}`
}
