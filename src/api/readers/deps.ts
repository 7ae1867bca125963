import type { ReadAccess } from '../../access/index.ts'
import type { FeedService } from '../../publisher/feeds.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { SourceDirectory } from '../handlers/source-directory.ts'
import type { Icons } from '../icons.ts'
import type { ApiServices } from '../services.ts'
import type { AppDoor } from './app-door.ts'
import type { ShowItems } from './shown-items.ts'

/** What the doors of reader apps are made with. */
export interface ReaderDeps {
  readonly store: Store
  readonly access: ReadAccess
  readonly services: Pick<ApiServices, 'sources' | 'noteRead'>
  readonly feeds: Pick<FeedService, 'baseUrl' | 'imageAddress'>
  readonly directory: SourceDirectory
  readonly icons: Icons
  readonly door: AppDoor
  readonly showItems: ShowItems
  readonly clock: Clock
}
