import type { DurationMs, InstantMs } from '../../../model/index.ts'

/** What a payer may spend, in units of the budget. */
export interface Account {
  /** Below 0: more was spent for it than it had. */
  balance: number
  /** Something waits for it. */
  readonly isWanting: boolean
  /** Of what comes in, in relation to the others; 1 is usual. */
  readonly part: number
}

/** Amounts smaller than this are rounding. */
const NOTHING = 1e-9
/** A payer with work that the node could not do yet keeps its claim to it for so much longer. */
const CLAIM = 4

/**
 * Gives each its part, up to `most` for a part of 1; what one has no room for goes to the others (max-min fairness). Giving
 * twice is the same as giving the sum at once, so it does not matter when somebody looks.
 */
export function fill(accounts: readonly Account[], amount: number, most: number): void {
  let remaining = amount
  const capacity = (account: Account) => roomOf(account, most) - account.balance
  for (let open = accounts; remaining > NOTHING; ) {
    open = open.filter((account) => capacity(account) > NOTHING)
    if (open.length === 0) return
    const each = remaining / open.reduce((sum, { part }) => sum + part, 0)
    for (const account of open) {
      const share = Math.min(each * account.part, capacity(account))
      account.balance += share
      remaining -= share
    }
  }
}

/**
 * The same where processes share a budget: what one has no room for stays in the token bucket of all. Who needs less than its part
 * in the long run is known to whoever moves the prices, who gives the others more; given to them here at once it went, process by
 * process, to whoever wants most.
 */
export function fillApart(accounts: readonly Account[], amount: number, most: number): void {
  const each = amount / accounts.reduce((sum, { part }) => sum + part, 0)
  for (const account of accounts) {
    account.balance = Math.max(account.balance, Math.min(account.balance + each * account.part, roomOf(account, most)))
  }
}

function roomOf({ isWanting, part }: Account, most: number): number {
  return part * (isWanting ? CLAIM * most : most)
}

/** Somebody who has a part of the budget. */
export interface Claim {
  readonly part: number
  /** All its sources are refreshed as often as they may be, and it has more. */
  readonly isSated: boolean
}

/**
 * What one may spend of a budget in the long run: its part, and of what those leave who need less, a part as well. A price is
 * found for this, not for what came in of late: what others save up for their busy hours is theirs.
 */
export function fairPerMs<One extends Claim>(
  one: One,
  all: readonly One[],
  budgetPerMs: number,
  spentPerMs: (one: One) => number,
): number {
  const even = budgetPerMs / all.reduce((sum, { part }) => sum + part, 0)
  if (all.length === 1 || one.isSated) return even * one.part
  let remaining = budgetPerMs
  let hungry = 0
  for (const other of all) {
    if (other.isSated) remaining -= Math.min(even * other.part, spentPerMs(other))
    else hungry += other.part
  }
  return (remaining * one.part) / hungry
}

/** Counts how much a budget has earned, on a grid of its own, so that it does not matter when somebody looks. */
export class Income {
  private readonly tickMs: DurationMs
  private readonly perTick: number
  private tick: number | null = null
  private setByMs: DurationMs = 0

  constructor(unitMs: DurationMs) {
    this.tickMs = Math.min(1_000, Math.max(10, Math.round(unitMs)))
    this.perTick = this.tickMs / unitMs
  }

  /** The clock was set: nothing comes in by that. */
  shift(byMs: DurationMs): void {
    this.setByMs += byMs
  }

  /** Since the last call. */
  take(now: InstantMs): number {
    const tick = this.tickAt(now)
    const passed = this.tick === null ? 0 : Math.max(0, tick - this.tick)
    this.tick = tick
    return passed * this.perTick
  }

  /** The next moment at which something comes in. */
  nextAt(now: InstantMs): InstantMs {
    return (this.tickAt(now) + 1) * this.tickMs + this.setByMs
  }

  private tickAt(at: InstantMs): number {
    return Math.floor((at - this.setByMs) / this.tickMs)
  }
}
