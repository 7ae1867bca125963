import { z } from 'zod'
import { jsonState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import { nodeProfile } from './profile-document.ts'

const failure = z.object({ code: z.string(), message: z.string(), at: z.number() })

const knownNode = z.object({
  /** Without a slash at the end; with the path of its host that it stands below. */
  url: z.string(),
  /** The last that could be used; null: none yet. */
  profile: nodeProfile.nullable(),
  lookedAt: z.number().nullable(),
  /** Of the last look; null: it went well. */
  failure: failure.nullable(),
  /** Looks that went well, and that did not. */
  looks: z.int(),
  refused: z.int(),
})

const proposedFeed = z.object({
  url: z.string(),
  title: z.string(),
  node: z.string(),
  distance: z.number(),
  cost: z.number(),
  hops: z.int(),
  /** For how many sources it is the best parent. */
  sources: z.int(),
  itemsPerDay: z.number(),
})

const peer = z.object({
  node: z.string(),
  url: z.string(),
  key: z.string(),
  trustedAt: z.number(),
  /** When it was seen that the key is still the same, or vouched for. */
  checkedAt: z.number(),
  failure: failure.nullable(),
})

const networkState = z.object({
  /** How much being alike counts against being near (thesis 1.6.2), and how unlike a parent may be. */
  alpha: z.number(),
  radius: z.number(),
  nodes: z.array(knownNode),
  proposal: z
    .object({ at: z.number(), follow: z.array(proposedFeed), leave: z.array(z.string()), circles: z.array(z.string()) })
    .nullable(),
  /** Addresses of feeds that were followed because they were proposed. */
  followed: z.array(z.string()),
  peers: z.array(peer),
  /** How often what came from other nodes was refused, by code. */
  refusals: z.record(z.string(), z.int()),
})

export type KnownNode = z.infer<typeof knownNode>

export type TrustedPeer = z.infer<typeof peer>
export type NetworkState = z.infer<typeof networkState>

const USUAL_ALPHA = 4
/** Profiles are small and differ in most words; beyond it two nodes share next to nothing. */
const USUAL_RADIUS = 0.95

const NOTHING: NetworkState = {
  alpha: USUAL_ALPHA,
  radius: USUAL_RADIUS,
  nodes: [],
  proposal: null,
  followed: [],
  peers: [],
  refusals: {},
}

export const NETWORK = jsonState<NetworkState>('network', NOTHING, (value) => networkState.safeParse(value).data)

/** Returns the state as changed. */
export function changeNetwork(
  store: Pick<Store, 'changeState'>,
  change: (state: NetworkState) => NetworkState,
): Promise<NetworkState> {
  return store.changeState(NETWORK, change)
}

export function countRefusal({ refusals }: Pick<NetworkState, 'refusals'>, code: string): NetworkState['refusals'] {
  return { ...refusals, [code]: (refusals[code] ?? 0) + 1 }
}
