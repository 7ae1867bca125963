import { type DurationMs, SECOND_MS } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { Controller, type ControllerOptions } from './controller.ts'
import type { GrantStore } from './grants.ts'
import type { PriceBoard } from './prices.ts'

/** The token of a lease that this process has now; null: it has none. */
export type HasLease = () => number | null

/** How soon a process that was given the lease begins. */
const LOOK_EVERY_MS = SECOND_MS
/** Reports of a period may come so late. */
export const REPORT_GRACE_MS = 3 * SECOND_MS
/** Who has not reported for so many periods is gone. */
const MOST_PERIODS = 3

export interface HoldPriceDeps {
  readonly strategy: ControllerOptions['strategy']
  readonly grants: Pick<GrantStore, 'standing'>
  readonly prices: PriceBoard
  /** Of the lease ('controller', 0). */
  readonly hasLease: HasLease
  readonly clock: Clock
  /** Told who moves the price now, and when it is nobody here any more: beside it the wished quality is held. */
  readonly onController?: (controller: Controller | null) => void
}

/** Moves the price of the cluster while this process has the lease for it. While nobody does, the price stands still. */
export function holdPrice(deps: HoldPriceDeps): Layer {
  return {
    name: 'price',
    async run(signal, succeeded) {
      while (!signal.aborted) {
        if (deps.hasLease() === null) await deps.clock.sleep(LOOK_EVERY_MS, signal)
        else await control(deps, signal, succeeded)
      }
    },
  }
}

/** Until the lease is lost. */
async function control(deps: HoldPriceDeps, signal: AbortSignal, succeeded: () => void): Promise<void> {
  const { strategy, grants, prices, clock, onController } = deps
  const standing = await grants.standing()
  if (standing === null) return clock.sleep(LOOK_EVERY_MS, signal)
  const posted = await prices.read()
  const controller = new Controller({ strategy, terms: standing.terms, posted, now: clock.now() })
  onController?.(controller)
  try {
    while (await endPeriod(deps, controller, signal)) succeeded()
  } finally {
    onController?.(null)
  }
}

/** False: somebody else moves the price now. */
async function endPeriod(deps: HoldPriceDeps, controller: Controller, signal: AbortSignal): Promise<boolean> {
  const { grants, prices, clock, hasLease } = deps
  const beganAt = clock.now()
  await clock.sleep(controller.periodEndsAt + REPORT_GRACE_MS - beganAt, signal)
  const standing = await grants.standing()
  const reports = await prices.reports(longestSilence(clock.now() - beganAt))
  const token = hasLease()
  if (signal.aborted || token === null || standing === null) return false
  return prices.setPrice(controller.endPeriod(clock.now(), standing, reports), token)
}

export function longestSilence(periodMs: DurationMs): DurationMs {
  return MOST_PERIODS * periodMs + REPORT_GRACE_MS
}
