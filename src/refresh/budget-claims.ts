/*
 * Users and query feeds may wish for a quality (thesis, perspectives: levels that have to be assured). A wish needs so many
 * requests a day; here the budget is divided so that it is met where that takes nothing from others that is theirs.
 */

/** Somebody who pays: a user, or a query feed with a wish of its own, which pays out of its user's part. */
export interface BudgetClaim {
  readonly payer: number
  readonly user: number
  /** Requests a day that its wish takes; null: it wishes for nothing, and takes what it gets. */
  readonly needed: number | null
}

export interface Allotment {
  readonly payer: number
  readonly perDay: number
  /** What its wish needs beyond that. */
  readonly lacking: number
}

/** Whatever a user wishes for some feeds, the other sources of the user keep this much of the user's part. */
const LEAST_FOR_OTHERS = 0.1

/**
 * Every user has an even part of the budget. Out of it the wishes of the user come first; who wishes for nothing more leaves
 * the rest to wishes of others that need more than their user's part; what no wish needs goes to those who have none. So who has
 * no wish never gets less than an even part, and who has one never less than it takes, or an even part.
 */
export function allot(perDay: number, claims: readonly BudgetClaim[]): readonly Allotment[] {
  const users = byUser(claims)
  const even = users.length === 0 ? 0 : perDay / users.length
  const shares = new Map<BudgetClaim, number>()
  let remaining = 0
  for (const own of users) {
    const withNeed = own.filter(({ needed }) => needed !== null)
    const others = own.filter(({ needed }) => needed === null)
    const reserve = others.length === 0 ? 0 : Math.max(even - needsOf(withNeed), LEAST_FOR_OTHERS * even)
    for (const other of others) shares.set(other, reserve / others.length)
    remaining += even - reserve - pour(even - reserve, withNeed, shares)
  }
  remaining -= pour(remaining, claims, shares)
  share(remaining, claims, shares)
  return claims.map((claim) => {
    const mine = shares.get(claim) ?? 0
    return { payer: claim.payer, perDay: mine, lacking: Math.max(0, (claim.needed ?? 0) - mine) }
  })
}

function byUser(claims: readonly BudgetClaim[]): readonly (readonly BudgetClaim[])[] {
  const users = new Map<number, BudgetClaim[]>()
  for (const claim of claims) users.set(claim.user, [...(users.get(claim.user) ?? []), claim])
  return [...users.values()]
}

function needsOf(claims: readonly BudgetClaim[]): number {
  return claims.reduce((sum, { needed }) => sum + (needed ?? 0), 0)
}

/** Gives all who need more the same, up to what they need; returns how much was given. */
function pour(amount: number, claims: readonly BudgetClaim[], shares: Map<BudgetClaim, number>): number {
  let remaining = amount
  const lack = (claim: BudgetClaim) => Math.max(0, (claim.needed ?? 0) - (shares.get(claim) ?? 0))
  const open = claims.filter((claim) => lack(claim) > 0).sort((a, b) => lack(a) - lack(b))
  for (const [index, claim] of open.entries()) {
    const one = Math.min(lack(claim), remaining / (open.length - index))
    shares.set(claim, (shares.get(claim) ?? 0) + one)
    remaining -= one
  }
  return amount - remaining
}

/** What is left goes to those without a wish; where there are none, to each by what it needs. */
function share(amount: number, claims: readonly BudgetClaim[], shares: Map<BudgetClaim, number>): void {
  const others = claims.filter(({ needed }) => needed === null)
  const needs = needsOf(claims)
  const partOf = ({ needed }: BudgetClaim): number => {
    if (others.length > 0) return needed === null ? 1 / others.length : 0
    return needs > 0 ? (needed ?? 0) / needs : 1 / claims.length
  }
  for (const claim of claims) shares.set(claim, (shares.get(claim) ?? 0) + amount * partOf(claim))
}
