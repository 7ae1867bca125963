import { z } from 'zod'
import { jsonState } from '../../store/node-state.ts'

const peerTally = z.object({
  isSilent: z.boolean(),
  /** Sources that both have, and those of them that the peer polls for this node. */
  common: z.int(),
  polledThere: z.int(),
  /** Requests of this node to the origins of these sources. */
  asked: z.int().default(0),
  /** Documents that came from it. */
  passedOn: z.int(),
  /** Times that it told of news. */
  news: z.int(),
  /** Requests to origins to see whether it is true, and how often it was not. */
  checks: z.int(),
  lies: z.int(),
  /** Sources that were new here, and whose past came from it. */
  learnt: z.int().default(0),
})

/** How the work that is shared with one node goes. */
export type PeerTally = z.infer<typeof peerTally>

export const NO_PEER_TALLY: PeerTally = {
  isSilent: false,
  common: 0,
  polledThere: 0,
  asked: 0,
  passedOn: 0,
  news: 0,
  checks: 0,
  lies: 0,
  learnt: 0,
}

/** By node. */
export const SHARING = jsonState<Readonly<Record<string, PeerTally>>>(
  'network-sharing',
  {},
  (value) => z.record(z.string(), peerTally).safeParse(value).data,
)
