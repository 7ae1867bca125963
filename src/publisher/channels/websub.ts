import { createHmac } from 'node:crypto'
import { retryAfter } from '../../http/retry-after.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedAddress } from '../addresses.ts'
import type { RenderedFeed } from '../feeds.ts'
import type { CallbackClient } from '../hub/callback-client.ts'
import { readHubKeys } from '../hub/hub-keys.ts'
import { withParameters } from '../hub/hub-request.ts'
import { hubLinks, type Topic, topicUrl } from '../hub/topic.ts'
import type { FeedFormatName } from '../published-feed.ts'
import { DELIVERY_DONE, type DeliveryOutcome, retryLater } from './channel.ts'

export interface HubChannelOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly client: CallbackClient
  readonly baseUrl: string
  readonly hubUrl: string
  /** The feed as readers get it; null: there is none any more. */
  readonly render: (topic: Topic, edition: number | null) => Promise<RenderedFeed | null>
  /** Whether somebody with the token of the topic may open it, at this moment. */
  readonly mayOpen: (topic: Topic) => Promise<boolean>
}

/** One message for one subscriber. */
export interface HubMessage {
  readonly callback: string
  readonly address: FeedAddress
  readonly format: FeedFormatName
  /** Of a built-in feed; null: as it is now. */
  readonly edition: number | null
  /** What the subscriber has told the hub; null: it cannot be read without the key that it was sealed with. */
  readonly keys: string | null
}

export interface HubChannel {
  deliver(message: HubMessage, signal: AbortSignal): Promise<DeliveryOutcome>
  close(): Promise<void>
}

/** WebSub §7: the feed, to those who have subscribed at the hub. */
export function createHubChannel(options: HubChannelOptions): HubChannel {
  const { clock, client, baseUrl, hubUrl } = options
  return { deliver, close: () => client.close() }

  async function deliver(message: HubMessage, signal: AbortSignal): Promise<DeliveryOutcome> {
    const { callback, address, format, edition, keys } = message
    if (keys === null) return retryLater('CREDENTIALS_LOCKED', 'subscribe again to sign with another secret')
    const { secret, token } = readHubKeys(keys)
    const topic: Topic = { address, format, token }
    if (!(await options.mayOpen(topic))) return deny(callback, topic, signal)
    const feed = await options.render(topic, edition)
    if (feed === null) return deny(callback, topic, signal)
    const headers = {
      'content-type': feed.contentType,
      link: hubLinks(hubUrl, topicUrl(topic, baseUrl)),
      ...(secret === null ? {} : { 'x-hub-signature': signatureOf(feed.body, secret) }),
    }
    const answer = await client.call({ method: 'POST', url: callback, headers, body: feed.body }, signal)
    if (answer.status === null) return retryLater(answer.code, answer.detail)
    if (answer.status >= 200 && answer.status < 300) return DELIVERY_DONE
    const detail = `status ${answer.status}`
    if (answer.status === 410) return { kind: 'ended', problem: { code: 'HTTP_GONE', message: detail } }
    return retryLater('HTTP_UNEXPECTED', detail, { notBefore: retryAfter(answer.headers, clock.now()) })
  }

  /** §5.2: a subscription may be denied at any time, and its subscriber is told. */
  async function deny(callback: string, topic: Topic, signal: AbortSignal): Promise<DeliveryOutcome> {
    const reason = 'the feed is not open to this subscription any more'
    const parameters = { 'hub.mode': 'denied', 'hub.topic': topicUrl(topic, baseUrl), 'hub.reason': reason }
    await client.call({ method: 'GET', url: withParameters(callback, parameters) }, signal)
    return { kind: 'ended', problem: { code: 'FEED_PRIVATE', message: reason } }
  }
}

/** §7.1 knows four methods; this is the strongest that subscribers of 2018 are known to read. */
function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
