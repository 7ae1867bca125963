import type { DurationMs } from '../../src/model/index.ts'
import { roundToPrecision } from '../rounds.ts'

/** A figure and what it may be at most. */
interface Check {
  readonly value: number
  readonly atMost: number
  readonly ok: boolean
}

/** What was counted while the cluster ran and when it was quiet. */
export interface ClusterFindings {
  /** Shown by a site and not stored. */
  readonly itemsLost: number
  /** Stored twice, or never shown. */
  readonly itemsDoubled: number
  /** Stored and never seen by a reader that followed all the time. */
  readonly itemsOutOfSight: number
  /** Numbers of items that nobody has. */
  readonly gapsInNumbers: number
  /** New items by the observations of refreshes, less those that are stored. */
  readonly itemsCountedTwice: number
  /** Refreshes that were written over a later one of the same source. */
  readonly refreshesSetBack: number
  /** Missing in a query feed, there twice, or wrongly there. */
  readonly queryFeedErrors: number
  /** Never sent to the subscriber, and sent under two ids. */
  readonly messagesMissing: number
  readonly messagesRenamed: number
  /** And the budget, with what delays on the way to a site may have added. */
  readonly requestsInOneSecond: number
  readonly requestsAllowed: number
  /** Requests to a host where another crawler waited for an answer. */
  readonly requestsCrowded: number
  /** Of all faults the longest time without an owner, and the least that would have been too long. */
  readonly ownedAfterMs: DurationMs
  readonly ownedWithinMs: DurationMs
  /** Addresses of feeds that replicas answer differently. */
  readonly etagsDifferent: number
}

export interface ClusterVerdict {
  readonly holds: boolean
  readonly claims: readonly { readonly text: string; readonly holds: boolean }[]
}

export function judgeCluster(findings: ClusterFindings) {
  const { requestsInOneSecond, requestsAllowed, ownedAfterMs, ownedWithinMs, ...none } = findings
  const checks: Record<string, Check> = {
    ...Object.fromEntries(Object.entries(none).map(([name, value]) => [name, check(value, 0)])),
    requestsInOneSecond: check(requestsInOneSecond, requestsAllowed),
    ownedAgainAfterSeconds: check(ownedAfterMs / 1_000, ownedWithinMs / 1_000),
  }
  const claims = Object.entries(checks).map(([name, { value, atMost, ok }]) => ({
    text: `${name}: ${value}, at most ${atMost}`,
    holds: ok,
  }))
  const verdict: ClusterVerdict = { holds: claims.every(({ holds }) => holds), claims }
  return { checks, verdict }
}

function check(value: number, atMost: number): Check {
  return { value: roundToPrecision(value), atMost: roundToPrecision(atMost), ok: value <= atMost }
}
