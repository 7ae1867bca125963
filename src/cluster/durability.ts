/** What the database server does before it says that something is stored, and who follows it. */
export interface ServerDurability {
  /** `synchronous_commit` of our sessions. */
  readonly synchronousCommit: string
  /** `synchronous_standby_names`; empty: no standby is waited for. */
  readonly synchronousNames: string
  /** Hosts that the address names: more than one where a failover is meant to be. */
  readonly hosts: number
  readonly standbys: readonly Standby[]
}

export interface Standby {
  /** Its `application_name`. */
  readonly name: string
  /** `sync`, `quorum`, `potential` or `async`; null: this user may not see it. */
  readonly syncState: string | null
}

export interface DurabilityVerdict {
  /** What was confirmed may be lost when a server is: numbers that readers have seen would then be given to other items. */
  readonly isAtRisk: boolean
  readonly words: string
  /** What to set, or what right to give; null: nothing. */
  readonly remedy: string | null
}

/** What may be lost when the server is, from what can be seen of it. */
export function judgeDurability(durability: ServerDurability): DurabilityVerdict {
  const { synchronousCommit, synchronousNames, hosts, standbys } = durability
  if (synchronousCommit === 'off') {
    const words = 'synchronous_commit is off: a crash of the server loses what it has confirmed in the last moments'
    return risk(words, 'set synchronous_commit = on')
  }
  if (synchronousNames === '') return withoutSynchronous(hosts, standbys)
  if (synchronousCommit === 'local') {
    const words =
      'synchronous_commit is local: no standby is waited for, and a failover loses what it has not received yet'
    return risk(words, 'set synchronous_commit = on')
  }
  return withSynchronous(synchronousNames, standbys)
}

function withoutSynchronous(hosts: number, standbys: readonly Standby[]): DurabilityVerdict {
  const names = standbys.map(({ name }) => name)
  if (names.length > 0) {
    const words = `no commit waits for a standby (${names.join(', ')}): a failover loses what it has not received yet`
    return risk(words, `set synchronous_standby_names = 'ANY 1 (${names.map(quoted).join(', ')})'`)
  }
  if (hosts > 1) {
    const words = `the address names ${hosts} hosts, and no standby is waited for: a failover loses what it has not received yet`
    return risk(words, "set synchronous_standby_names = 'ANY 1 (*)'")
  }
  const words = 'one server without a standby: what it has confirmed survives a crash, but not the loss of its disk'
  return { isAtRisk: false, words, remedy: null }
}

function withSynchronous(synchronousNames: string, standbys: readonly Standby[]): DurabilityVerdict {
  const words = `commits wait for a standby (${synchronousNames})`
  if (standbys.some(({ syncState }) => syncState === null)) {
    return {
      isAtRisk: false,
      words: `${words}; which standbys are synchronous now cannot be seen`,
      remedy: 'grant pg_monitor to the user of the database to see it',
    }
  }
  return { isAtRisk: false, words, remedy: null }
}

function risk(words: string, remedy: string): DurabilityVerdict {
  return { isAtRisk: true, words, remedy }
}

/** A name that is not a plain word must stand in quotes. */
function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}
