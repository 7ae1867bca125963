import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { formatDuration } from '../../format/words.ts'
import { t } from '../../language/current.ts'

/** Who lives says so every second or two. */
const SILENT_AFTER_MS = 15_000
/** Crawlers slow down when the slowest reader is some thousands behind. */
const FAR_BEHIND = 1_000

export function isSilent({ lastSeenAt }: ClusterState['members'][number], at: number): boolean {
  return at - lastSeenAt > SILENT_AFTER_MS
}

interface Verdict {
  readonly isWell: boolean
  /** Sentences; the first says how things stand. */
  readonly words: readonly string[]
}

/** What a person wants to know first: whether all work is being done, and if not, which is not. */
export function verdictOf({ at, members, roles, readers, durability }: ClusterState): Verdict {
  const alive = members.filter((member) => !isSilent(member, at))
  const wrong = [
    ...roles.filter(isNeglected).map(({ role, shards, owned }) => neglectWords(role, shards - owned, shards)),
    ...members
      .filter((member) => isSilent(member, at))
      .map(({ name, lastSeenAt }) => silentWords(name, at - lastSeenAt)),
    ...readers
      .filter(({ backlog, isExpired }) => !isExpired && backlog >= FAR_BEHIND)
      .map(({ name, backlog }) => t.cluster.isBehind({ name, items: t.common.items({ n: backlog }) })),
    ...(durability.isAtRisk ? [durabilityWords(durability)] : []),
  ]
  const there = t.cluster.atWork({
    members: t.common.members({ n: alive.length }),
    n: alive.length,
  })
  if (wrong.length > 0) return { isWell: false, words: [t.cluster.notAllWell({ there }), ...wrong] }
  return { isWell: true, words: [t.cluster.allWell({ there })] }
}

function isNeglected({ shards, owned }: ClusterState['roles'][number]): boolean {
  return owned < shards
}

function neglectWords(role: string, free: number, shards: number): string {
  if (role === 'controller') return t.cluster.nobodyMoves
  if (free === shards) return t.cluster.noRole({ role, again: role })
  return t.cluster.waitFor({ free: t.common.shards({ n: free }), shards, role })
}

/** Also where nothing is wrong: how safe what is stored is. */
export function durabilityWords({ words, remedy }: ClusterState['durability']): string {
  const sentence = remedy === null ? words : `${words}; ${remedy}`
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

function silentWords(name: string, ms: number): string {
  return t.cluster.notHeard({ name, time: formatDuration(ms) })
}
