import type { Random } from '../../src/model/index.ts'
import type { PostgresStore } from '../../src/store/postgres/index.ts'
import type { Database } from './database.ts'
import type { LoadWatch } from './load.ts'
import type { ClusterProcess } from './members.ts'
import type { Door, Network } from './network.ts'
import type { ClusterOptions } from './options.ts'
import type { Sites } from './sites-process.ts'

/** All that plays a part while the bench runs. */
export interface Stage {
  readonly options: ClusterOptions
  readonly sites: Sites
  readonly database: Database
  readonly network: Network
  readonly members: readonly ClusterProcess[]
  readonly doorOf: ReadonlyMap<ClusterProcess, Door>
  /** Of the bench itself, beside the members. */
  readonly data: PostgresStore
  readonly load: LoadWatch
  readonly random: Random
  readonly say: (line: string) => void
}
