import type { Readable } from 'node:stream'
import type { BackupService } from '../../api/services.ts'
import type { ItemBuffer } from '../../buffer/buffer.ts'
import type { Notifier } from '../../buffer/notifier.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { InstantMs } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { BackgroundWatch } from '../../runtime/supervisor.ts'
import type { Vault } from '../../runtime/vault.ts'
import type { ReportState } from '../../store/node-state.ts'
import type { QueryShards } from '../../store/query-shards.ts'
import type { Store } from '../../store/store.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import type { SettingsDocument } from '../settings/settings-document.ts'
import type { Disk } from './disk.ts'
import type { RoleName } from './role-names.ts'

export interface Data {
  readonly store: Store
  readonly buffer: ItemBuffer
  readonly notifier: Notifier
}

/** What a node keeps, wherever that is. What a place cannot do is null there. */
export interface OpenedData extends Data {
  /** As people know it: the folder, or the address without its password. */
  readonly name: string
  readonly settings: SettingsDocument
  readonly locks: RoleLocks
  /** Seals what the database alone must not tell. */
  readonly vault: Vault
  readonly backups: Backups | null
  /** Where it is written to, for the watch over its room. */
  readonly disk: Disk | null
  /** What is wrong with it; it may take long. */
  readonly check: ((signal: AbortSignal) => Promise<readonly string[]>) | null
  /** Why log-ins that were written in plain could not be sealed yet; null: there are none. */
  readonly unsealed: Error | null
  /** It cannot be written, as on a disk that is mounted so: it is only read, until it is opened again. */
  readonly isReadOnly: boolean
  /** What its processes share; null: one process has it for itself, or a few on one machine. */
  readonly cluster: DataCluster | null
}

export interface DataCluster extends Cluster {
  /** How its matchers share the queries. */
  readonly queryShards: QueryShards
}

/** Each role of a node runs once, unless the place is made for more. */
export interface RoleLocks {
  /** Throws STORE_LOCKED where one of them runs and may run only once. */
  take(roles: readonly RoleName[]): RoleLock
  /** Whether this role runs now, in whichever process; absent: any. */
  isTaken(role?: RoleName): Promise<boolean>
}

export interface RoleLock {
  release(): void
}

export interface Backups extends BackupService {
  /** Into a new file that nobody else can read; nothing is left of it where that fails. */
  write(path: string): Promise<void>
}

export interface Restored {
  readonly sources: number
  readonly items: number
}

export interface OpenOptions {
  readonly config: Pick<Config, 'bufferCapacity' | 'keyFile'>
  readonly clock: Clock
  /** Those of this process; none: a command beside the node. */
  readonly roles: readonly RoleName[]
  /** Told how the work goes that nobody waits for. */
  readonly background?: BackgroundWatch | undefined
  /** Whether what takes long runs in threads. */
  readonly hasThreads: boolean
  /** Told of a state that cannot be read: it begins anew. */
  readonly onUnreadableState: ReportState
}

/** Where data is or will be, before it is opened. */
export interface DataPlace {
  readonly name: string
  readonly settings: Pick<SettingsDocument, 'read'>
  /** Whether a node keeps its data there. */
  exists(): Promise<boolean>
  /** What a node does before it opens it: takes over a backup that waits, closes it to others. */
  prepare(environment: Environment): void
  /** Makes it where there is none. Any number of processes may have it open. */
  open(options: OpenOptions): Promise<OpenedData>
  /** Puts a backup in the place of what is there, where no node runs. */
  readonly restore: ((file: Readable, now: InstantMs) => Promise<Restored>) | null
}
