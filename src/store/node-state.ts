import { HeadwaterError } from '../runtime/errors.ts'

/** Who writes a state. */
export type StateOwner = 'crawler' | 'matcher' | 'publisher' | 'api' | 'node'

/**
 * All that survives a restart under a name of its own. Names are in databases and never change. Each is defined where
 * it is written, with its type; here are its name, who writes it, and whether all members of a cluster share it or each
 * member has its own.
 */
const STATES = {
  /** Price and what may be spent. */
  schedule: { owner: 'crawler', scope: 'member' },
  /** How much time learnt hosts want between two requests. */
  politeness: { owner: 'crawler', scope: 'member' },
  /** The last day in steps finer than an hour. */
  'recent-quality': { owner: 'crawler', scope: 'member' },
  /** What foresight has learnt of all sources. */
  'foresight-tables': { owner: 'crawler', scope: 'cluster' },
  /** Which sources show the items of others. */
  covers: { owner: 'crawler', scope: 'cluster' },
  /** What hubs were worth. */
  hubs: { owner: 'crawler', scope: 'member' },
  /** What SCC07 has learnt of all sources. */
  'posting-clusters': { owner: 'crawler', scope: 'cluster' },
  /** How far wished qualities are met. */
  wishes: { owner: 'crawler', scope: 'cluster' },
  /** The least budget that was found for the node's wish. */
  'least-budget': { owner: 'crawler', scope: 'cluster' },
  /** The ranges of addresses that were allowed at the last start. */
  allowRange: { owner: 'crawler', scope: 'cluster' },
  /** The last refreshes, for a reader in another process, and when such a reader was last there. */
  'refresh-reports': { owner: 'crawler', scope: 'member' },
  'refresh-reports-reader': { owner: 'api', scope: 'cluster' },
  /** What polling at one interval would have got for the same requests. */
  'beside-polling': { owner: 'api', scope: 'cluster' },
  /** What APIs tell each other. */
  'api-notices': { owner: 'api', scope: 'member' },
  /** What a process has to tell the operator, by the first of its roles. */
  'alarms-crawler': { owner: 'crawler', scope: 'member' },
  'alarms-matcher': { owner: 'matcher', scope: 'member' },
  'alarms-publisher': { owner: 'publisher', scope: 'member' },
  'alarms-api': { owner: 'api', scope: 'member' },
  /** Names those who fetch published feeds. */
  'fetcher-key': { owner: 'publisher', scope: 'cluster' },
  /** Signs addresses of pictures that are passed on. */
  'image-key': { owner: 'publisher', scope: 'cluster' },
  /** Makes the keys that push services of browsers know this node by. */
  'vapid-key': { owner: 'publisher', scope: 'cluster' },
  /** Signs the cookie of known browsers. */
  'device-key': { owner: 'api', scope: 'cluster' },
  /** Feeds that strangers may not open. */
  'private-feeds': { owner: 'api', scope: 'cluster' },
  /** People's rules from addresses to feeds. */
  'address-rules': { owner: 'api', scope: 'cluster' },
  /** Lists of feeds at an address that are followed, and what came of each. */
  'live-lists': { owner: 'api', scope: 'cluster' },
  /** What is to happen to items of users, and up to which item it has. */
  'item-rules': { owner: 'api', scope: 'cluster' },
  'item-rules-cursor': { owner: 'matcher', scope: 'cluster' },
  /** People's rules for reading pages of sites. */
  'site-rules': { owner: 'api', scope: 'cluster' },
  /** The key that this node signs with for other nodes. */
  'network-key': { owner: 'api', scope: 'cluster' },
  /** Nodes that were joined, what is proposed, and nodes that are trusted. */
  network: { owner: 'api', scope: 'cluster' },
  /** How the work that is shared with other nodes goes. */
  'network-sharing': { owner: 'crawler', scope: 'member' },
  /** What needs a person, and whom it was told. */
  alerts: { owner: 'publisher', scope: 'cluster' },
  /** Where the node serves. */
  address: { owner: 'api', scope: 'cluster' },
  /** What stands behind the @ of the letters that it takes. */
  'mail-domain': { owner: 'api', scope: 'cluster' },
  /** Up to where retention has come. */
  retention: { owner: 'node', scope: 'cluster' },
  /** What the last check of the database found. */
  'database-check': { owner: 'node', scope: 'cluster' },
} as const satisfies Readonly<Record<string, { readonly owner: StateOwner; readonly scope: 'cluster' | 'member' }>>

export type StateName = keyof typeof STATES

/** A state with its type: how it is read from what is stored, and written. */
export interface NamedState<Value> {
  readonly name: StateName
  /** What holds where nothing was written, or nothing that can be read. */
  readonly initial: Value
  /** Reads what this and earlier versions wrote; undefined: it cannot be read. */
  read(text: string): Value | undefined
  write(value: Value): string
  /** It protects somebody: where it cannot be read, reading it fails, and its initial value does not hold. */
  readonly isGuard?: true
}

/** A state as one member of a cluster has saved it. */
export interface MemberState<Value> {
  readonly value: Value
  /** It was saved by this member: its moments are of a clock that this process can compare with its own. */
  readonly isOwn: boolean
}

export const STATE_NAMES = Object.keys(STATES) as StateName[]

/** Whether each member of a cluster has its own. */
export function isOfMember(name: StateName): boolean {
  return STATES[name].scope === 'member'
}

/** One that is written as JSON. `read` gets what was parsed, whatever it is; undefined: it cannot be used. */
export function jsonState<Value>(
  name: StateName,
  initial: Value,
  read: (stored: unknown) => Value | undefined,
): NamedState<Value> {
  return {
    name,
    initial,
    read(text) {
      try {
        return read(JSON.parse(text))
      } catch {
        return undefined
      }
    },
    write: (value) => JSON.stringify(value),
  }
}

/** Most lists that are stored hold words. */
export function readWords(stored: unknown): readonly string[] | undefined {
  return Array.isArray(stored) && stored.every((one) => typeof one === 'string') ? stored : undefined
}

/** One that is written as it is; '' before it is written. */
export function textState(name: StateName): NamedState<string> {
  return { name, initial: '', read: (text) => text, write: (value) => value }
}

/** Called with a stored state that cannot be read: its initial value holds from now on. */
export type ReportState = (state: { readonly name: StateName; readonly owner: StateOwner }) => void

/** For stores: reads states, and reports each that cannot be read once. */
export class StateReader {
  readonly #report: ReportState
  readonly #reported = new Set<StateName>()

  constructor(report: ReportState = () => {}) {
    this.#report = report
  }

  /** `text`: as stored; null: nothing is. */
  value<Value>(state: NamedState<Value>, text: string | null): Value {
    if (text === null) return state.initial
    const value = state.read(text)
    if (value !== undefined) return value
    const { name } = state
    if (state.isGuard) throw new HeadwaterError('STORE_CORRUPT', `what is stored as ${name} cannot be read`)
    if (!this.#reported.has(name)) this.#report({ name, owner: STATES[name].owner })
    this.#reported.add(name)
    return state.initial
  }
}
