import type { ReadAccess } from '../../access/index.ts'
import type { ItemBuffer } from '../../buffer/buffer.ts'
import type { FeedService } from '../../publisher/feeds.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { KnownDevices } from '../access/known-device.ts'
import type { LogIn } from '../access/log-in.ts'
import type { PasswordQueues } from '../access/password-desk.ts'
import type { Authenticate } from '../access/principal.ts'
import type { QualityReader } from '../deps.ts'
import type { EventHub } from '../events.ts'
import type { Icons } from '../icons.ts'
import type { Jobs } from '../jobs.ts'
import type { NodeHealth } from '../readiness.ts'
import type { ApiServices } from '../services.ts'
import type { SourceDirectory } from './source-directory.ts'

/** What handlers are made with. */
export interface HandlerDeps {
  readonly store: Store
  readonly access: ReadAccess
  readonly buffer: Pick<ItemBuffer, 'state'> | null
  readonly feeds: Pick<FeedService, 'baseUrl' | 'imageAddress' | 'markStale'>
  readonly quality: QualityReader
  readonly services: ApiServices
  readonly directory: SourceDirectory
  readonly icons: Icons
  readonly events: EventHub
  readonly jobs: Jobs
  readonly logIn: LogIn
  readonly passwords: PasswordQueues
  readonly devices: KnownDevices
  readonly authenticate: Authenticate
  readonly health: NodeHealth
  readonly clock: Clock
  readonly version: string
}
