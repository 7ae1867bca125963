import { MINUTE_MS } from '../../model/index.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { type AlertDeps, lookForTroubles } from './alert-watch.ts'

const LOOK_EVERY_MS = MINUTE_MS

/** Looks every minute for what needs a person. */
export function alertLayer(deps: AlertDeps): Layer {
  return {
    name: 'alerts',
    healthyAfterMs: null,
    run: (signal, succeeded) =>
      repeat({
        clock: deps.clock,
        everyMs: LOOK_EVERY_MS,
        action: () => lookForTroubles(deps, signal),
        alsoAtEnd: false,
      })(signal, succeeded),
  }
}
