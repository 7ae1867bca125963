import type { networkOperations } from '../operations/network.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function networkHandlers({ services }: HandlerDeps): Pick<Handlers, keyof typeof networkOperations> {
  const { network } = services
  return {
    showNetwork: () => network.show(),
    async joinNetwork({ body: { urls, alpha, radius } }) {
      await network.join(urls, { ...(alpha !== undefined && { alpha }), ...(radius !== undefined && { radius }) })
      return network.show()
    },
    async leaveNetworkNode({ query }) {
      await network.leave(query.url)
      return undefined
    },
    async applyNetworkProposal({ body }) {
      const { followed, paused } = await network.apply(body.feeds)
      return { followed: [...followed], paused: [...paused] }
    },
    trustNetworkNode: ({ body }) => network.trust(body.url, body.fingerprint ?? null),
    async revokeNetworkNode({ params }) {
      await network.revoke(params.node)
      return undefined
    },
    rotateNetworkKey: async () => ({ fingerprint: await network.rotate() }),
  }
}
