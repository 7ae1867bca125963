import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { RunningNode } from '../../src/app/node.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { QueryFeed, SourceId } from '../../src/model/index.ts'
import { tokenHash } from '../../src/publisher/feed-access.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { onNode, type SettingsStage } from '../settings/one-node.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { rss } from './hub-stage.ts'

/** What a hub has sent to a callback. */
export interface Call {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A node with a public and a private query feed of one source, and somebody who subscribes to them. */
export interface SubscriberStage {
  readonly node: RunningNode
  readonly hub: string
  /** The public feed in a format; the private one with its token. */
  topic(format?: 'rss' | 'atom' | 'json'): string
  readonly privateTopic: string
  readonly feed: QueryFeed
  /** What both are made of, in the category News/Science. */
  readonly sourceId: SourceId
  /** Where calls to `/cb/NAME` are received. */
  callback(name: string): string
  calls(name: string, method?: 'GET' | 'POST'): readonly Call[]
  /** How a callback answers, instead of giving back challenges and taking everything. */
  answer(name: string, how: (call: Call, response: ServerResponse) => void): void
  post(fields: Readonly<Record<string, string>>): Promise<Response>
  /** Subscribes and waits until the hub has it. */
  subscribe(name: string, fields?: Readonly<Record<string, string>>): Promise<void>
  isSubscribed(name: string, format?: 'rss' | 'atom' | 'json'): Promise<boolean>
  publish(guid: string): Promise<void>
  /** Another title for the item that was published last. */
  edit(title: string): Promise<void>
}

const TOKEN = 'token-of-the-private-feed'

export async function onSubscriberStage(
  look: (stage: SubscriberStage) => Promise<void>,
  flags: Readonly<Record<string, unknown>> = {},
  clock: Clock = systemClock,
): Promise<void> {
  const guids = ['first']
  const edited = { guid: '', title: '' }
  const received: Call[] = []
  const answers = new Map<string, (call: Call, response: ServerResponse) => void>()
  const site = await startServer((_request, response) =>
    response.end(rss('', guids, (guid) => (guid === edited.title ? edited.guid : guid))),
  )
  const reader = await startServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const call = { method, url, query: new URL(url, 'http://x').searchParams, headers, body: Buffer.concat(chunks) }
      received.push(call)
      const how = answers.get(url.split(/[/?]/)[2] ?? '')
      if (how !== undefined) how(call, response)
      else response.end(call.query.get('hub.challenge') ?? '')
    })
  })
  try {
    const onIt = async ({ node }: SettingsStage) => {
      const { store } = node.data
      const [added] = await store.addSources(
        [withSourceDefaults({ url: site.url('/feed'), categories: ['News/Science'] })],
        systemClock.now(),
      )
      const make = (name: string, isPrivate: boolean) => ({
        kind: 'save-feed' as const,
        name,
        title: null,
        limit: null,
        text: `CREATE FEED ${name} AS RETURN "${site.url('/feed')}" AS $s;`,
        catchUp: { after: 0 },
        first: { isPrivate, ownerId: null },
      })
      await store.changeQueries([make('news', false), make('own', true)], await store.queryRevision(), 0)
      const feed = await store.queryFeed('news')
      const own = await store.queryFeed('own')
      if (feed === null || own === null || added === undefined) throw new Error('they were made')
      await store.addFeedToken(own.id, { hash: tokenHash(TOKEN), label: null }, 0)
      await eventually(async () => (await store.publicationState(feed.id)).count === 1)
      const hub = `${node.url}/hub`
      const callback = (name: string) => reader.url(`/cb/${name}`)
      const topic = (format = 'rss') => `${node.url}/feeds/news.${format}`
      const isSubscribed: SubscriberStage['isSubscribed'] = async (name, format = 'rss') =>
        (await store.hubCrowd(feed.id, { kind: 'websub', url: callback(name), format })).isKnown
      const post = (fields: Readonly<Record<string, string>>) =>
        fetch(hub, { method: 'POST', body: new URLSearchParams(fields) })
      await look({
        node,
        hub,
        topic,
        privateTopic: `${node.url}/feeds/own.rss?token=${TOKEN}`,
        feed,
        sourceId: added.source.id,
        callback,
        calls: (name, method) =>
          received.filter((call) => call.url.startsWith(`/cb/${name}`) && (method ?? call.method) === call.method),
        answer: (name, how) => void answers.set(name, how),
        post,
        isSubscribed,
        async subscribe(name, fields = {}) {
          await post({
            'hub.mode': 'subscribe',
            'hub.topic': topic(),
            'hub.callback': callback(name),
            ...fields,
          })
          await eventually(() => isSubscribed(name))
        },
        async publish(guid) {
          guids.unshift(guid)
          await store.requestRefresh([added.source.id], systemClock.now())
        },
        async edit(title) {
          Object.assign(edited, { guid: guids[0], title })
          guids[0] = title
          await store.requestRefresh([added.source.id], systemClock.now())
        },
      })
    }
    await onNode({ budget: '50/s', push: false, ...flags }, onIt, clock)
  } finally {
    await site.close()
    await reader.close()
  }
}
