import type { BudgetRows, GainRow, PolicyRow } from '../types.ts'

/** As many digits as a figure deserves. */
export function minutes(value: number): string {
  if (value === 0) return '0'
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : String(Math.round(value))
}

export function formatSigned(value: number): string {
  return value.toFixed(1).replace('-', '−')
}

export function formatPercent(share: number): string {
  return (100 * share).toFixed(2)
}

/** In %, with the interval. */
export function gainText(gain: GainRow | undefined): string {
  if (gain === undefined) return '–'
  return `${formatSigned(100 * gain.gain)} (${formatSigned(100 * gain.low)} to ${formatSigned(100 * gain.high)})`
}

export function findRow({ policies }: BudgetRows, id: string): PolicyRow | undefined {
  return policies.find(({ policy }) => policy === id)
}

export function budgetColumns(budgets: readonly BudgetRows[]): string[] {
  return budgets.map(({ perDay }) => `${perDay} a day`)
}

/** Every policy that was measured at some budget. */
export function policiesOf(budgets: readonly BudgetRows[]): string[] {
  return budgets.flatMap(({ policies }) => policies.map(({ policy }) => policy))
}
