import type { clusterOperations } from '../operations/cluster.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function clusterHandlers({ services }: HandlerDeps): Pick<Handlers, keyof typeof clusterOperations> {
  return { showCluster: () => services.cluster() }
}
