import { type FeedAddress, feedPath, parseFeedPath } from '../addresses.ts'
import type { FeedFormatName } from '../published-feed.ts'

/** Where the hub takes requests, below the address under which others reach this node. */
export const HUB_PATH = '/hub'

/** A feed of this node in one of its formats, and the token that opens it. */
export interface Topic {
  readonly address: FeedAddress
  readonly format: FeedFormatName
  readonly token: string | null
}

/** What a subscriber calls a topic; null: none of ours. `baseUrl` without a slash at the end. */
export function readTopic(text: string, baseUrl: string): Topic | null {
  if (!text.startsWith(`${baseUrl}/`)) return null
  const [path = '', query = '', ...more] = text.slice(baseUrl.length).split('?')
  const found = more.length > 0 || text.includes('#') ? null : parseFeedPath(path)
  if (found === null) return null
  const parameters = new URLSearchParams(query)
  const token = parameters.get('token')
  if ([...parameters.keys()].some((name) => name !== 'token')) return null
  return { ...found, token }
}

/** Its address, as feeds name themselves (`rel=self`). */
export function topicUrl({ address, format, token }: Topic, baseUrl: string): string {
  const query = token === null ? '' : `?${new URLSearchParams({ token })}`
  return `${baseUrl}${feedPath(address)}.${format}${query}`
}

/** RFC 8288, with which WebSub §4 and §7 name hub and topic. */
export function hubLinks(hub: string, topic: string): string {
  return `<${hub}>; rel="hub", <${topic}>; rel="self"`
}
