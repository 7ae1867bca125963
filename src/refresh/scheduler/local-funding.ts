import { LocalAllowance } from './local-allowance.ts'
import { PriceControl } from './price-control.ts'
import type { Funding, SchedulerOptions } from './types.ts'

/** Budget and price of one process alone. `factor`: what of the budget goes out now; `sourceCount`: how many there are then. */
export function localFunding<Memory>(
  { strategy, budget, burst, now, firstSaved, savedPerSource }: SchedulerOptions<Memory>,
  factor: number,
  sourceCount: () => number,
): Funding {
  const savedWhileFull = savedPerSource === undefined ? undefined : () => savedPerSource * sourceCount()
  return {
    allowance: new LocalAllowance({ budget, factor }, burst, now, { firstSaved, savedWhileFull }),
    newPricing: (whole, at) => new PriceControl(strategy, whole, at, burst),
  }
}
