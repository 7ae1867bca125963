import type { ShardLease } from '../../model/index.ts'
import type { IconStore } from '../icons.ts'
import { partUnder } from '../rules/leases.ts'
import { isInPart } from '../shards.ts'
import type { MemoryTables } from './tables.ts'

export function iconVerbs(world: MemoryTables, isCurrent: (lease: ShardLease) => boolean): IconStore {
  const { icons } = world
  return {
    async wantIcons(ids, now) {
      for (const id of ids) {
        if (world.files.has(id) && !icons.has(id)) icons.set(id, { dueAt: now, attempts: 0, found: null })
      }
    },
    async iconHashes(ids) {
      const wanted = ids.flatMap((id) => {
        const icon = icons.get(id)
        return icon === undefined ? [] : [[id, icon.found?.hash ?? null] as const]
      })
      return new Map(wanted)
    },
    async icons(ids) {
      return [...new Set(ids)]
        .sort((a, b) => a - b)
        .flatMap((sourceId) => {
          const found = icons.get(sourceId)?.found ?? null
          return found === null ? [] : [{ sourceId, ...found }]
        })
    },
    async dueIcons(now, { limit, part: wanted }) {
      const part = partUnder(wanted, isCurrent)
      return [...icons]
        .filter(([id, { dueAt }]) => dueAt <= now && isInPart(world.files.get(id)?.source.url ?? '', part))
        .sort(([a, { dueAt: first }], [b, { dueAt: second }]) => first - second || a - b)
        .slice(0, Math.max(0, limit))
        .map(([sourceId, { attempts }]) => ({ sourceId, attempts }))
    },
    async recordIcon({ sourceId, dueAt, attempts, found }) {
      const before = icons.get(sourceId)
      if (before === undefined) return false
      icons.set(sourceId, { dueAt, attempts, found: found === null ? before.found : found === 'none' ? null : found })
      return true
    },
  }
}
