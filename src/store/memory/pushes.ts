import type { PushSubscription, ShardLease } from '../../model/index.ts'
import { FIRST_PLACE, type PushPlace, type PushStore } from '../pushes.ts'
import { partUnder } from '../rules/leases.ts'
import { afterPush, NO_PUSHES } from '../rules/pushes.ts'
import { isInPart } from '../shards.ts'
import { requestRefresh } from './refresh-requests.ts'
import type { MemoryTables, StoredPush } from './tables.ts'

export function pushVerbs(world: MemoryTables, isCurrent: (lease: ShardLease) => boolean): PushStore {
  const { pushes } = world
  const withKey = (key: string) => [...pushes.values()].find((one) => one.key === key)
  return {
    async savePush(push, now) {
      if (!world.files.has(push.sourceId)) return
      const first = { status: 'new', leaseEndsAt: null, failures: 0, lastError: null, changedAt: now } as const
      pushes.set(push.sourceId, { ...push, ...first, ...NO_PUSHES })
    },
    async changePush(key, patch, now) {
      const before = withKey(key)
      if (before === undefined) return false
      pushes.set(before.sourceId, { ...before, ...patch, changedAt: now })
      return true
    },
    async removePush(sourceId) {
      pushes.delete(sourceId)
    },
    async pushByKey(key) {
      const found = withKey(key)
      return found === undefined ? null : shown(found)
    },
    async pushes({ changedSince = Number.NEGATIVE_INFINITY, afterId = 0, limit }) {
      return [...pushes.values()]
        .filter(({ sourceId, changedAt }) => sourceId > afterId && changedAt >= changedSince)
        .sort((a, b) => a.sourceId - b.sourceId)
        .slice(0, Math.max(0, limit))
        .map(shown)
    },
    async duePushes(now, { limit, part: wanted, after = FIRST_PLACE }) {
      const part = partUnder(wanted, isCurrent)
      return [...pushes.values()]
        .filter((push) => push.nextAt <= now && byPlace(push, after) > 0)
        .filter(({ sourceId }) => isInPart(world.files.get(sourceId)?.source.url ?? '', part))
        .sort(byPlace)
        .slice(0, Math.max(0, limit))
        .map(shown)
    },
    async recordPush(key, push) {
      const before = withKey(key)
      if (before === undefined) return 'unknown'
      const { verdict, counts } = afterPush(before, push)
      pushes.set(before.sourceId, { ...before, ...counts })
      if (verdict === 'taken') requestRefresh(world, before.sourceId, push.at, 'push')
      return verdict
    },
  }
}

function byPlace(a: PushPlace, b: PushPlace): number {
  return a.nextAt - b.nextAt || a.sourceId - b.sourceId
}

function shown({ digests: _, ...push }: StoredPush): PushSubscription {
  return push
}
