import type { ServerDeps } from '../../src/api/deps.ts'
import type { NodeHealth } from '../../src/api/readiness.ts'

const NO_HEALTH: NodeHealth = {
  startedAt: () => 0,
  alarms: () => [],
  layers: () => [],
  surprises: () => 0,
  database: () => null,
}

/** What a server without a node around it is given: anyone may connect, and a failure of ours is printed. */
export const SERVER_PARTS: Pick<ServerDeps, 'health' | 'doors' | 'onError'> = {
  health: NO_HEALTH,
  doors: null,
  onError: (error) => console.error(error),
}
