import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { BackgroundWatch } from '../../runtime/supervisor.ts'
import type { ReportState } from '../../store/node-state.ts'
import type { Config } from '../settings/config.ts'
import { DATABASE_FILE } from './data-folder.ts'
import { folderPlace } from './folder-data.ts'
import { memoryPlace } from './memory-data.ts'
import type { Data, DataPlace, OpenedData } from './opened-data.ts'
import { parseStoreUrl, shownUrl, storeUrlOf } from './store-url.ts'

export type { Data, OpenedData }
export { DATABASE_FILE }

/** The adapter for an address. Another kind of store gets its line here, and nothing above knows of it. */
export function locateData(url: string): DataPlace {
  const { kind, rest } = parseStoreUrl(url)
  switch (kind) {
    case 'sqlite':
      return folderPlace(rest)
    case 'memory':
      return memoryPlace()
    case 'postgres':
      throw new HeadwaterError('STORE_NOT_BUILT', shownUrl(rest))
  }
}

export function placeOf(config: Pick<Config, 'store' | 'dataDir'>): DataPlace {
  return locateData(storeUrlOf(config))
}

/** Opens what these settings name, making it where there is none; a node has threads for what takes long. */
export function openData(
  config: Config,
  clock: Clock,
  background?: BackgroundWatch,
  hasThreads = false,
  onUnreadableState: ReportState = () => {},
): Promise<OpenedData> {
  return placeOf(config).open({ config, clock, background, hasThreads, onUnreadableState })
}
