import type { InstantMs, PushSubscription, SourceId } from '../model/index.ts'
import type { SourcePart } from './shards.ts'

export type NewPush = Pick<PushSubscription, 'sourceId' | 'kind' | 'hub' | 'topic' | 'key' | 'nextAt'> & {
  readonly secret: string
}

export type PushPatch = Partial<Pick<PushSubscription, 'status' | 'leaseEndsAt' | 'nextAt' | 'failures' | 'lastError'>>

/** A call of a hub that says that there is news. */
export interface ReceivedPush {
  readonly at: InstantMs
  /** Of what it holds: the same again is a repetition; null: it holds nothing that would tell. */
  readonly digest: string | null
  /** Signed as it must be. */
  readonly isGenuine: boolean
}

/** Of a subscription among those that something is to be done about. */
export type PushPlace = Pick<PushSubscription, 'nextAt' | 'sourceId'>

/** Before all of them. */
export const FIRST_PLACE: PushPlace = { nextAt: Number.MIN_SAFE_INTEGER, sourceId: 0 }

export type PushVerdict = 'taken' | 'repeated' | 'refused' | 'unknown'

/** Subscriptions to hubs (docs/decisions/0120-push.md). They go with their sources. */
export interface PushStore {
  /** In place of what the source had. Does nothing if the source is gone. */
  savePush(push: NewPush, now: InstantMs): Promise<void>
  /** By its key: one that was replaced meanwhile is left alone. False: it is gone. */
  changePush(key: string, patch: PushPatch, now: InstantMs): Promise<boolean>
  removePush(sourceId: SourceId): Promise<void>
  pushByKey(key: string): Promise<PushSubscription | null>
  /** By source; those that changed at this moment or later, or all. */
  pushes(query: {
    readonly changedSince?: InstantMs
    readonly afterId?: SourceId
    readonly limit: number
  }): Promise<readonly PushSubscription[]>
  /** Those that something is to be done about, the longest due first; of a part, or of all; behind this place. */
  duePushes(
    now: InstantMs,
    query: { readonly limit: number; readonly part?: SourcePart | undefined; readonly after?: PushPlace },
  ): Promise<readonly PushSubscription[]>
  /** Counts it; one that is genuine and new also asks for a refresh of its source, in the same transaction. */
  recordPush(key: string, push: ReceivedPush): Promise<PushVerdict>
}
