import type { ReadAccess } from '../../access/index.ts'
import type { MemberBeat } from '../../cluster/lease-store.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { NotedReads } from '../crawling/reading.ts'
import type { Web } from '../crawling/web.ts'
import type { OpenedData } from '../data/opened-data.ts'
import type { RoleName } from '../data/role-names.ts'
import type { Environment } from '../environment.ts'
import type { Sharing } from '../network/sharing/sharing.ts'
import type { RunningHealth } from '../node-health.ts'
import type { Config } from '../settings/config.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { Wires } from './wires.ts'

/** A part of the node with its own work: the supervisor runs its layers until they are told to stop; then it is closed. */
export interface NodeRole {
  readonly layers: readonly Layer[]
  /** Where it takes letters; absent: it takes none. */
  readonly smtpPort?: number
  close(): Promise<void>
}

/** What every role of a process stands on. Roles of other processes stand on the same data, and on nothing else. */
export interface RoleContext {
  /** As the process was started. */
  readonly config: Config
  /** As it is at the moment. */
  readonly settings: LiveSettings
  readonly data: OpenedData
  /** With a clock that no change of the wall clock disturbs. */
  readonly environment: Environment & { readonly clock: SteadyClock }
  readonly health: RunningHealth
  readonly access: ReadAccess
  /** The roles of this process. */
  readonly roles: ReadonlySet<RoleName>
  /** As other processes on the same data know this one. */
  readonly member: MemberBeat
  readonly wires: Wires
  /** Where the API listens, and how readers reach the feeds. */
  readonly port: number
  readonly baseUrl: string
  /** Opened by whoever needs it first, and shared. */
  readonly web: () => Promise<Web>
  readonly feeds: () => Promise<NotedReads>
  /** null: this process shares no work with other nodes. */
  readonly sharing: () => Promise<Sharing | null>
}
