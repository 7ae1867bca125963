import type { Source, SourceId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { withLogInApart } from '../address-log-in.ts'
import type { QueryChange } from '../query-feeds.ts'
import { formerWithout, refuseTaken } from '../rules/addresses.ts'
import type { MemoryTables } from './tables.ts'

/**
 * Throws what the changes would throw one after the other. There is no transaction to roll back, so that nothing may be
 * changed before it is known that all can be.
 */
export function checkChanges(world: MemoryTables, changes: readonly QueryChange[]): void {
  const names = new Set([...world.queries.feeds.values()].map(({ name }) => name))
  const addresses = addressesOf(world)
  for (const change of changes) {
    const name = nameNeeded(change)
    if (name !== null && !names.has(name)) throw new HeadwaterError('FEED_NOT_FOUND', name)
    if (change.kind === 'save-feed') names.add(change.name)
    else if (change.kind === 'drop-feed') names.delete(change.name)
    else if (change.kind === 'add-source') addresses.add(withLogInApart(change.settings).url)
    else if (change.kind === 'remove-source') addresses.remove(change.sourceId)
    else if (change.kind === 'alter-source') addresses.change(change.sourceId, withLogInApart(change.patch).url)
  }
}

function nameNeeded(change: QueryChange): string | null {
  switch (change.kind) {
    case 'subscribe':
    case 'unsubscribe':
      return change.feed
    case 'weigh-feed':
    case 'clear-feed':
    case 'drop-feed':
      return change.name
    default:
      return null
  }
}

interface Addresses {
  add(url: string): void
  remove(id: SourceId): void
  change(id: SourceId, url: string | undefined): void
}

/** What the addresses would be; sources that are added meanwhile have numbers below 0. */
function addressesOf({ files }: MemoryTables): Addresses {
  const sources = new Map<SourceId, Pick<Source, 'url' | 'formerUrls'>>(
    [...files].map(([id, { source }]) => [id, source]),
  )
  const ownerOf = (url: string) => [...sources].find(([, source]) => source.url === url)?.[0]
  const isKnown = (url: string) =>
    [...sources.values()].some((source) => source.url === url || source.formerUrls?.includes(url))
  let added = 0
  return {
    add(url) {
      if (!isKnown(url)) sources.set(--added, { url })
    },
    remove: (id) => void sources.delete(id),
    change(id, url) {
      const source = sources.get(id)
      if (source === undefined || url === undefined) return
      refuseTaken(id, url, ownerOf)
      sources.set(id, { ...source, url })
      for (const [other, { formerUrls = [], ...rest }] of sources) {
        sources.set(other, { ...rest, formerUrls: formerWithout(formerUrls, url) })
      }
    },
  }
}
