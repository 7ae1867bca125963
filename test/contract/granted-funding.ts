import { GrantedAllowance } from '../../src/cluster/granted-allowance.ts'
import type { MemberReport } from '../../src/cluster/prices.ts'
import { SharedPrices } from '../../src/cluster/shared-pricing.ts'
import type { InstantMs } from '../../src/model/index.ts'
import type { Budget, PricedStrategy } from '../../src/refresh/strategy.ts'

/** A grant is void here so much sooner than where it was granted. */
const MARGIN_MS = 500

/** What one process of several may spend, with its own time and a hand that grants. */
export function grantedAllowance(budget: Budget, burst: number, start: InstantMs) {
  const time = { at: start }
  const allowance = new GrantedAllowance({ terms: { budget, factor: 1, burst }, monotonicMs: () => time.at })
  /** Takes over what it would give back, and says how much it gets for that, beside what is left. */
  const draw = (until: InstantMs, answer: (left: number, back: number) => number, granted = budget) => {
    const { left, back } = allowance.request(time.at)
    const windowMs = until - time.at + MARGIN_MS
    const terms = { budget: granted, factor: 1, burst }
    allowance.accept({ left, amount: answer(left, back), windowMs, retryAfterMs: 0, terms }, time.at, time.at)
  }
  return {
    allowance,
    time,
    draw,
    /** So much more, valid until then. */
    grant: (amount: number, until: InstantMs, granted = budget) => draw(until, () => amount, granted),
  }
}

/** A price that somebody else moves, and the reports that he moves it by. */
export function reportedPricing(
  strategy: Pick<PricedStrategy<never>, 'id' | 'firstPrice'>,
  first: number,
  periodMs: number,
) {
  const shared = new SharedPrices(strategy)
  const reports: MemberReport[] = []
  shared.onPeriod = () => void reports.push(shared.report())
  const announce = (price: number) =>
    shared.announce(
      { price, isLow: false, strategy: strategy.id, periodMs, byHour: [], payers: [], revision: 1, ageMs: 0 },
      0,
    )
  announce(first)
  return { shared, reports, announce }
}
