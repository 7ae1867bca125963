import { resolve } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Config } from '../settings/config.ts'

/** Where data is kept: an adapter and what it needs to know. */
export interface StoreUrl {
  readonly kind: 'sqlite' | 'memory' | 'postgres'
  /** A folder for `sqlite`, the whole address for the others. */
  readonly rest: string
}

/** Of at least two letters: `C:\feeds` is a folder. */
const SCHEME = /^([a-z][a-z0-9+.-]+):(.*)$/is

/** A folder, `sqlite:DIR`, `memory:` or `postgres://…`; throws STORE_URL_INVALID. */
export function parseStoreUrl(url: string): StoreUrl {
  const [, scheme, rest = ''] = SCHEME.exec(url) ?? []
  if (scheme === undefined && url !== '') return { kind: 'sqlite', rest: url }
  switch (scheme?.toLowerCase()) {
    case 'sqlite':
      if (rest !== '') return { kind: 'sqlite', rest: rest.replace(/^\/\/(?=\/)/, '') }
      break
    case 'memory':
      if (rest === '') return { kind: 'memory', rest: url }
      break
    case 'postgres':
    case 'postgresql':
      if (rest.startsWith('//') && rest.length > 2) return { kind: 'postgres', rest: url }
  }
  throw new HeadwaterError('STORE_URL_INVALID', `"${shownUrl(url)}"`)
}

/** Without its password. */
function shownUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//')
}

/** As it can be shown to people who may give it again: with stars in the place of its password. */
export function maskPassword(url: string): string {
  return url.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1:***@')
}

/** Where a node of these settings keeps its data: in its folder, unless it says otherwise. */
export function storeUrlOf({ store, dataDir }: Pick<Config, 'store' | 'dataDir'>): string {
  return store ?? dataDir
}

export type DataPlaceName = Pick<Config, 'store' | 'dataDir'>

/** What was given as `--data` and `--store`, or in the environment. A store in a folder is that data folder. */
export function placeGiven(
  flags: { readonly data?: string; readonly store?: string },
  environment: Readonly<Record<string, string | undefined>>,
  usualDir: string,
): DataPlaceName {
  const dataDir = flags.data ?? environment.HEADWATER_DATA ?? usualDir
  const url = flags.store ?? environment.HEADWATER_STORE
  if (url === undefined) return { dataDir }
  const { kind, rest } = parseStoreUrl(url)
  if (kind !== 'sqlite') return { dataDir, store: url }
  if (flags.data === undefined) return { dataDir: rest }
  if (flags.store !== undefined && resolve(flags.data) !== resolve(rest))
    throw new HeadwaterError('USAGE', `--data ${flags.data} and --store ${url} are two folders; give one of them`)
  return { dataDir }
}
