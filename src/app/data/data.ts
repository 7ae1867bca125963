import type { Clock } from '../../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import { DATABASE_FILE } from './data-folder.ts'
import { folderPlace } from './folder-data.ts'
import { memoryPlace } from './memory-data.ts'
import type { Data, DataPlace, OpenedData, OpenOptions } from './opened-data.ts'
import { postgresPlace } from './postgres-data.ts'
import { parseStoreUrl, storeUrlOf } from './store-url.ts'

export type { Data, OpenedData }
export { DATABASE_FILE }

/**
 * The adapter for an address. Another kind of store gets its line here, and nothing above knows of it. `dataDir`: what stays on
 * this machine where the data is elsewhere.
 */
export function locateData(url: string, dataDir: string): DataPlace {
  const { kind, rest } = parseStoreUrl(url)
  switch (kind) {
    case 'sqlite':
      return folderPlace(rest)
    case 'memory':
      return memoryPlace()
    case 'postgres':
      return postgresPlace(rest, dataDir)
  }
}

export function placeOf(config: Pick<Config, 'store' | 'dataDir'>): DataPlace {
  return locateData(storeUrlOf(config), config.dataDir)
}

/** Opens what these settings name, making it where there is none; as a command does, unless `options` say otherwise. */
export function openData(
  config: Config,
  clock: Clock,
  options: Partial<Omit<OpenOptions, 'config' | 'clock'>> = {},
): Promise<OpenedData> {
  const usual = { roles: [], hasThreads: false, onUnreadableState: () => {} }
  return placeOf(config).open({ ...usual, ...options, config, clock })
}
