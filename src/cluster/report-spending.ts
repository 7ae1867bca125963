import { type DurationMs, SECOND_MS } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import type { PriceBoard } from './prices.ts'
import type { SharedPrices } from './shared-pricing.ts'

/** How soon a price that was moved is followed. */
export const READ_EVERY_MS: DurationMs = 2 * SECOND_MS

export interface ReportSpendingDeps {
  readonly memberId: string
  readonly prices: Pick<PriceBoard, 'read' | 'report'>
  readonly shared: SharedPrices
  readonly clock: Clock
  /** The price has moved: other sources may be due. */
  readonly wake: () => void
}

/** Brings the price from the board, and there what this process sees, at the end of each of its periods. */
export function reportSpending({ memberId, prices, shared, clock, wake }: ReportSpendingDeps): Layer {
  return {
    name: 'common price',
    async run(signal, succeeded) {
      let hasEnded = false
      let price: number | null = null
      shared.onPeriod = () => {
        hasEnded = true
      }
      while (!signal.aborted) {
        const report = hasEnded ? shared.report() : null
        hasEnded = false
        const posted = report === null ? await prices.read() : await prices.report(memberId, report)
        succeeded()
        shared.announce(posted, clock.now())
        if (shared.price !== price) wake()
        price = shared.price
        await clock.sleep(READ_EVERY_MS, signal)
      }
    },
  }
}
