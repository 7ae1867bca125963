import type { NetworkService, NetworkView } from '../../api/services.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import { HOUR_MS, MINUTE_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { fingerprint, nodeIdentity, rotateKey } from './identity.ts'
import { applyProposal, type JoinDeps, joinNodes, leaveNode, lookAgain } from './joining.ts'
import { NETWORK } from './network-state.ts'
import { networkViewOf } from './network-view.ts'
import { checkPeers, revokeNode, trustNode } from './trusting.ts'

export type { NetworkService, NetworkView }

export interface NetworkServiceDeps {
  readonly data: Pick<OpenedData, 'store' | 'vault'>
  /** Polite, behind the address guard. */
  readonly fetcher: Fetcher
  readonly clock: Pick<Clock, 'now'>
  readonly baseUrl: () => Promise<string> | string
  readonly isOn: () => boolean
}

export function createNetworkService(deps: NetworkServiceDeps): NetworkService {
  const { data, clock } = deps
  const { store } = data
  return {
    async show() {
      const identity = await nodeIdentity(data)
      return networkViewOf({ store, identity, baseUrl: await deps.baseUrl(), isOn: deps.isOn(), now: clock.now() })
    },
    join: async (urls, terms) => joinNodes(urls, terms, await joinDeps(deps)),
    leave: async (url) => leaveNode(url, await joinDeps(deps)),
    apply: async (feeds) => applyProposal(feeds, await joinDeps(deps)),
    async trust(url, print) {
      const { node, url: address, key } = await trustNode(url, print, await joinDeps(deps))
      return { node, url: address, fingerprint: fingerprint(key) }
    },
    revoke: (node) => revokeNode(node, { store }),
    rotate: async () => fingerprint((await rotateKey(data)).key),
  }
}

async function joinDeps({ data, fetcher, clock }: NetworkServiceDeps): Promise<JoinDeps> {
  return { store: data.store, fetcher, ownId: (await nodeIdentity(data)).id, clock }
}

const LOOK_EVERY_MS = 5 * MINUTE_MS
const JUDGE_EVERY_MS = HOUR_MS

/** Looks at nodes again and judges anew, every hour; what follows from it is proposed and waits for a person. */
export function networkLayer(deps: NetworkServiceDeps & { readonly clock: Clock }): Layer {
  const { data, clock } = deps
  const action = async () => {
    const { nodes, peers } = await data.store.state(NETWORK)
    const now = clock.now()
    const isDue = (at: number | null) => at === null || now - at >= JUDGE_EVERY_MS || at > now
    const known = await joinDeps(deps)
    if (nodes.some(({ lookedAt }) => isDue(lookedAt))) await lookAgain(known, ({ lookedAt }) => isDue(lookedAt))
    if (peers.some(({ checkedAt, failure }) => isDue(failure?.at ?? checkedAt))) await checkPeers(known)
  }
  return {
    name: 'network',
    run: repeat({ clock, everyMs: LOOK_EVERY_MS, action, alsoAtEnd: false }),
  }
}
