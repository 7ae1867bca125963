import type { AccessTable, ReadAccess } from '../access/index.ts'
import type { ItemBuffer } from '../buffer/buffer.ts'
import type { JobBoard } from '../cluster/job-board.ts'
import type { LogInLimits } from '../cluster/log-in-limits.ts'
import type { DurationMs, InstantMs, QualityTally } from '../model/index.ts'
import type { AccessStore } from '../publisher/feed-access.ts'
import type { FeedService } from '../publisher/feeds.ts'
import type { MeasuredPeriod, QualityMeasures } from '../quality/live.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import type { EventHub } from './events.ts'
import type { HubDoor } from './hub-routes.ts'
import type { ImageProxy } from './image-routes.ts'
import type { ReadOwnProfile } from './network-routes.ts'
import type { PeerDoor } from './peer-routes.ts'
import type { PushDoor } from './push-routes.ts'
import type { NodeHealth } from './readiness.ts'
import type { RefusedCalls } from './refused-calls.ts'
import type { ApiServices } from './services.ts'

/** How good the node is, from app/quality.ts. */
export interface QualityReader {
  /** Throws QUALITY_SCOPE, SOURCE_NOT_FOUND or FEED_NOT_FOUND. */
  report(scope: string, over: string): Promise<QualityMeasures & QualityPeriod>
  /** Of the hours that begin in [since, until); throws likewise. */
  between(scope: string, since: InstantMs, until: InstantMs): Promise<QualityMeasures>
  /** Step by step, oldest first; throws likewise. */
  series(
    scope: string,
    over: MeasuredPeriod,
  ): Promise<{ readonly stepMs: DurationMs; readonly points: readonly (QualityMeasures & Stretch)[] }>
  ever(): Promise<QualityTally>
}

interface Stretch {
  readonly from: InstantMs
  readonly to: InstantMs
}

interface QualityPeriod extends Stretch {
  readonly scope: string
  readonly over: string
}

/** What processes that serve the same people must agree on. */
export interface SharedByApis {
  readonly logIns: LogInLimits
  readonly jobs: JobBoard
}

/** What is behind /api. */
export interface ApiDeps {
  readonly store: Store
  readonly services: ApiServices
  readonly events: EventHub
  /** What addresses of icons are signed with. */
  readonly iconKey: string
  /** What processes that serve the same people share; absent: there is this one alone. */
  readonly shared?: SharedByApis
  /** Answers are compared with their schema; for tests. */
  readonly checkAnswers?: boolean
  /** Rights of roles and scopes, where a test changes them. */
  readonly table?: AccessTable
  /** Whoever sits at the machine is this user, without a password; null or absent: nobody is. */
  readonly visitor?: string | null
}

/** Who may come in, and how many at once. */
export interface DoorSettings {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** Whether X-Forwarded-For of this address is believed. */
  readonly isProxy: (address: string) => boolean
}

export interface ServerDeps {
  readonly store: Pick<Store, 'sources' | 'listedSources' | 'categories' | 'counts' | 'queryFeeds' | 'refusals'> &
    AccessStore
  /** Who may do what, at this moment. */
  readonly access: ReadAccess
  readonly feeds: FeedService
  readonly buffer: Pick<ItemBuffer, 'state'> | null
  /** Absent: nothing is said about quality, and there are no metrics. */
  readonly quality?: QualityReader
  /** Users, rights and all that needs them; absent: only what is public is served. */
  readonly api?: ApiDeps
  /** Passes pictures of items on; absent: they are loaded from their own sites. */
  readonly images?: ImageProxy
  /** Lets hubs call; absent: none is subscribed to. */
  readonly pushes?: PushDoor
  /** Takes subscribers of its feeds; absent: this node is no hub. */
  readonly hub?: HubDoor
  /** What it says of itself to other nodes; absent: nothing. */
  readonly profile?: ReadOwnProfile
  /** What was refused at the doors above and below; absent: nobody counts. */
  readonly refused?: RefusedCalls
  /** Takes requests of trusted nodes; absent: nothing is shared. */
  readonly peers?: PeerDoor
  /** Folder of the built dashboard; without one there is a plain page at /. */
  readonly webRoot?: string
  /** What the node knows of its own state. */
  readonly health: NodeHealth
  readonly clock: Clock
  readonly version: string
  /** null: no limits on connections, no proxies. */
  readonly doors: DoorSettings | null
  /** Called with every failure that is not the client's. */
  readonly onError: (error: unknown) => void
}
