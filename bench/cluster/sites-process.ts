import { type BenchChild, startChild } from '../child-process.ts'
import type { SiteRequest } from './requests.ts'
import type { SitesPlan } from './sites.ts'

export interface SitesHello {
  readonly ports: readonly number[]
}

export interface SitesQuestion {
  /** From now on items come. */
  readonly begin?: boolean
  /** From now on nothing new is published. */
  readonly end?: boolean
  /** All requests are wanted. */
  readonly log?: boolean
}

export interface SentMessage {
  readonly id: string
  readonly item: string
}

export interface SitesAnswer {
  /** Items by feed. */
  readonly published: readonly number[]
  readonly requests: readonly SiteRequest[]
  /** What subscriptions have sent, as often as it came. */
  readonly messages: readonly SentMessage[]
}

export interface Sites {
  readonly urls: readonly string[]
  /** Where subscriptions send to. */
  readonly hookUrl: string
  ask(question?: SitesQuestion): Promise<SitesAnswer>
  close(): Promise<void>
}

/** `addresses`: one for each host. */
export async function startSites(plan: Omit<SitesPlan, 'startsAt'>, addresses: readonly string[]): Promise<Sites> {
  const child: BenchChild<SitesHello, SitesAnswer> = await startChild('cluster/sites.child', [
    JSON.stringify({ ...plan, addresses }),
  ])
  const origins = child.hello.ports.map((port, host) => `http://${addresses[host]}:${port}`)
  return {
    urls: Array.from(
      { length: plan.feeds },
      (_, feed) => `${origins[Math.floor(feed / plan.feedsPerHost)]}/feed/${feed}`,
    ),
    hookUrl: `${origins[0]}/hook`,
    ask: (question = {}) => child.ask(question),
    close: () => child.close(),
  }
}
