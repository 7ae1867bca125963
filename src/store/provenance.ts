import { createHash } from 'node:crypto'
import { type Item, PROVENANCE } from '../model/index.ts'
import { parseUrl } from '../runtime/parse-url.ts'
import type { NewPublication } from './query-feeds.ts'

/*
 * Every item has an origin: the source that a node first had it from, and its key there. Nodes pass it on with what they publish,
 * so that an item is known again whatever its way (docs/decisions/0123-provenance.md).
 */

export interface Origin {
  readonly id: string
  /** A feed says so of an item that it has from elsewhere; false: it is the origin itself. */
  readonly isClaimed: boolean
}

/** 16 bytes in base64url. */
const ID = /^[\w-]{22}$/
/** Longer ways are cut at their beginning: where an item has been lately says more. */
const MOST_NODES = 16

type ProvenItem = Pick<Item, 'extensions' | 'key'>

export function itemOrigin(item: ProvenItem, sourceUrl: string): Origin {
  const claim = item.extensions?.[PROVENANCE.origin]
  if (claim !== undefined && ID.test(claim)) return { id: claim, isClaimed: true }
  return { id: shortHash(JSON.stringify([withoutLogIn(sourceUrl), item.key])), isClaimed: false }
}

/** The nodes that an item has come through, first one first. */
export function nodesPassed({ extensions }: Pick<Item, 'extensions'>): readonly string[] {
  const nodes = extensions?.[PROVENANCE.path]?.split(/\s+/).filter((id) => ID.test(id)) ?? []
  return nodes.slice(-MOST_NODES)
}

/** As a node passes it on. */
export function pathThrough(item: Pick<Item, 'extensions'>, nodeId: string): readonly string[] {
  return [...nodesPassed(item), nodeId].slice(-MOST_NODES)
}

/** A name for a node that says nothing else of it, made of something that only it knows. */
export function nodeIdOf(secret: string): string {
  return shortHash(`node ${secret}`)
}

/** A name for a source that all nodes who know its address come to, and nobody else reads. */
export function sourceIdOf(address: string): string {
  return shortHash(`source ${withoutLogIn(address)}`)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Nodes may log in as others do, or by http where another uses https; what follows is the same feed. */
function withoutLogIn(address: string): string {
  const url = parseUrl(address)
  return url === null ? address : `//${url.host}${url.pathname}${url.search}`
}

/**
 * Of what is to be published together, each origin once in a feed: what comes from there itself before what others say to have
 * from there.
 */
export function onceEach(publications: readonly NewPublication[]): readonly NewPublication[] {
  const direct = new Set(publications.flatMap((one) => (one.origin?.isClaimed === false ? [nameOf(one)] : [])))
  const claimed = new Set<string>()
  return publications.filter((one) => {
    if (one.origin?.isClaimed !== true) return true
    const name = nameOf(one)
    if (direct.has(name) || claimed.has(name)) return false
    claimed.add(name)
    return true
  })
}

function nameOf({ feedId, origin }: NewPublication): string {
  return `${feedId} ${origin?.id}`
}
