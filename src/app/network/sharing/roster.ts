import { createHash } from 'node:crypto'
import { assignShards } from '../../../cluster/rendezvous.ts'
import { SHARDS } from '../../../cluster/shards.ts'
import {
  type DurationMs,
  type InstantMs,
  MINUTE_MS,
  SECOND_MS,
  type Source,
  type SourceId,
} from '../../../model/index.ts'
import { isForLetters } from '../../../model/source.ts'
import { parseUrl } from '../../../runtime/parse-url.ts'
import { shardOf } from '../../../store/shards.ts'
import type { TrustedPeer } from '../network-state.ts'
import { NO_PEER_TALLY, type PeerTally } from '../sharing-state.ts'

/** A trusted node as it is seen from here. */
interface RosterPeer {
  peer: TrustedPeer
  /** Addresses of this node that the peer has, too; null: it has not said yet. */
  common: ReadonlySet<string> | null
  failures: number
  /** It is not asked before. */
  downUntil: InstantMs
  tally: PeerTally
}

const FIRST_PAUSE_MS: DurationMs = 5 * SECOND_MS
const LONGEST_PAUSE_MS: DurationMs = 10 * MINUTE_MS
/** So many untrue documents, and a fifth of the checks: then nothing of it is believed for a day. */
const MOST_LIES = 3
const LIAR_SHARE = 0.2
const DOUBT_MS: DurationMs = 24 * 60 * MINUTE_MS

/**
 * Who polls which of the sources that trusted nodes have in common: by the hashing of the cluster, over those that have the source and
 * answer. All come to the same without a word. Who falls silent is left out, so that its sources go to the others at once.
 */
export class Roster {
  readonly #ownId: string
  readonly #peers = new Map<string, RosterPeer>()
  readonly #assigned = new Map<string, readonly string[]>()
  #sources = new Map<string, SourceId>()
  #version = 0
  #pollers: { readonly version: number; readonly of: ReadonlyMap<string, string> } | null = null
  readonly #names = new Map<
    string,
    { readonly byName: ReadonlyMap<string, string>; readonly byUrl: ReadonlyMap<string, string> }
  >()

  constructor(ownId: string) {
    this.#ownId = ownId
  }

  get peers(): readonly TrustedPeer[] {
    return [...this.#peers.values()].map(({ peer }) => peer)
  }

  get sources(): ReadonlyMap<string, SourceId> {
    return this.#sources
  }

  /** Grows when somebody else may poll something. */
  get version(): number {
    return this.#version
  }

  setPeers(peers: readonly TrustedPeer[]): void {
    for (const node of this.#peers.keys()) {
      if (peers.some((peer) => peer.node === node)) continue
      this.#peers.delete(node)
      this.#version++
    }
    for (const peer of peers) {
      const known = this.#peers.get(peer.node)
      if (known !== undefined) known.peer = peer
      else this.#peers.set(peer.node, { peer, common: null, failures: 0, downUntil: 0, tally: NO_PEER_TALLY })
    }
  }

  setSources(sources: ReadonlyMap<string, SourceId>): void {
    this.#sources = new Map(sources)
    this.#names.clear()
    this.#version++
  }

  /** Names of sources as this node and the peer know them: from them nobody learns what only the other has. */
  names(node: string) {
    const known = this.#names.get(node)
    if (known !== undefined) return known
    const salt = [this.#ownId, node].sort().join(' ')
    const pairs = [...this.#sources.keys()].map((url) => [nameOf(url, salt), url] as const)
    const names = { byName: new Map(pairs), byUrl: new Map(pairs.map(([name, url]) => [url, name])) }
    this.#names.set(node, names)
    return names
  }

  /** What the peer has said that it has. */
  heard(node: string, common: ReadonlySet<string>): void {
    const known = this.#peers.get(node)
    if (known === undefined) return
    if (known.common === null || !areEqual(known.common, common)) this.#version++
    known.common = common
    known.failures = 0
  }

  isDue(node: string, now: InstantMs): boolean {
    return (this.#peers.get(node)?.downUntil ?? 0) <= now
  }

  /** It did not answer, or not as it should. */
  failed(node: string, now: InstantMs): void {
    const known = this.#peers.get(node)
    if (known === undefined) return
    this.#version++
    known.common = null
    known.failures++
    known.downUntil = Math.max(
      known.downUntil,
      now + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (known.failures - 1)),
    )
  }

  lied(node: string, now: InstantMs): void {
    this.count(node, 'lies')
    const known = this.#peers.get(node)
    if (known === undefined) return
    const { lies, checks } = known.tally
    if (lies < MOST_LIES || lies < checks * LIAR_SHARE) return
    this.#version++
    known.common = null
    known.downUntil = now + DOUBT_MS
  }

  /** null: it is nobody's but ours. */
  pollerOf(url: string): { readonly node: string; readonly isSelf: boolean } | null {
    const others = [...this.#peers.values()].filter(({ common }) => common?.has(url) === true)
    if (others.length === 0) return null
    const members = [this.#ownId, ...others.map(({ peer }) => peer.node)].sort()
    const node = this.#assignment(members)[shardOf(url, SHARDS)] ?? this.#ownId
    return { node, isSelf: node === this.#ownId }
  }

  /** Those that have it, too. */
  sharersOf(url: string): readonly TrustedPeer[] {
    return [...this.#peers.values()].filter(({ common }) => common?.has(url) === true).map(({ peer }) => peer)
  }

  peer(node: string): TrustedPeer | null {
    return this.#peers.get(node)?.peer ?? null
  }

  count(node: string, what: 'asked' | 'passedOn' | 'news' | 'checks' | 'lies' | 'learnt'): void {
    const known = this.#peers.get(node)
    if (known !== undefined) known.tally = { ...known.tally, [what]: known.tally[what] + 1 }
  }

  tallies(): Readonly<Record<string, PeerTally>> {
    const pollers = this.pollers()
    const entries = [...this.#peers].map(([node, { common, tally }]) => {
      const polledThere = [...pollers.values()].filter((poller) => poller === node).length
      return [node, { ...tally, isSilent: common === null, common: common?.size ?? 0, polledThere }] as const
    })
    return Object.fromEntries(entries)
  }

  /** Who else polls which sources; computed when something has changed. */
  pollers(): ReadonlyMap<string, string> {
    if (this.#pollers?.version === this.#version) return this.#pollers.of
    const of = new Map<string, string>()
    for (const { common } of this.#peers.values()) {
      for (const url of common ?? []) {
        const poller = this.pollerOf(url)
        if (poller !== null && !poller.isSelf) of.set(url, poller.node)
      }
    }
    this.#pollers = { version: this.#version, of }
    return of
  }

  #assignment(members: readonly string[]): readonly string[] {
    const key = members.join(' ')
    const known = this.#assigned.get(key) ?? assignShards(members, SHARDS)
    this.#assigned.set(key, known)
    return known
  }
}

/** A source that needs nothing of this node's own to be read: others may ask for it in its place. */
export function isShareable(
  source: Pick<Source, 'url' | 'headers' | 'basicAuth' | 'userAgent' | 'proxyUrl' | 'paused' | 'isLocked'>,
): boolean {
  if (source.paused || source.isLocked || isForLetters(source)) return false
  const { basicAuth, userAgent, proxyUrl, headers } = source
  if (basicAuth !== null || userAgent !== null || proxyUrl !== null || Object.keys(headers).length > 0) return false
  const url = parseUrl(source.url)
  return url !== null && url.username === '' && url.password === ''
}

function nameOf(url: string, salt: string): string {
  return createHash('sha256').update(`${salt} ${url}`).digest('base64url').slice(0, 22)
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one))
}
