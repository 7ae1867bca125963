import type { ReadAccess } from '../../access/index.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { OpenedData } from '../data/data.ts'
import type { Environment } from '../environment.ts'
import type { RunningHealth } from '../node-health.ts'
import type { Config } from '../settings/config.ts'

/** A part of the node with its own work: the supervisor runs its layers until they are told to stop; then it is closed. */
export interface Role {
  readonly layers: readonly Layer[]
  close(): Promise<void>
}

/** What every role stands on. */
export interface Ground {
  readonly config: Config
  readonly data: OpenedData
  /** With a clock that no change of the wall clock disturbs. */
  readonly environment: Environment & { readonly clock: SteadyClock }
  readonly health: RunningHealth
  readonly access: ReadAccess
}
