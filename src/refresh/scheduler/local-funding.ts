import { LocalAllowance } from './local-allowance.ts'
import { PriceControl } from './price-control.ts'
import type { Funding, SchedulerOptions } from './types.ts'

/** Budget and price of one process alone. `factor`: what of the budget goes out now. */
export function localFunding<Memory>(
  { strategy, budget, burst, now, firstSaved, savedWhileFull }: SchedulerOptions<Memory>,
  factor: number,
): Funding {
  return {
    allowance: new LocalAllowance({ budget, factor }, burst, now, { firstSaved, savedWhileFull }),
    newPricing: (whole, at) => new PriceControl(strategy, whole, at, burst),
  }
}
