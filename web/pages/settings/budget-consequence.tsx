import { useCall } from '../../client/use-call.ts'
import { BudgetCurve } from '../overview/budget-curve.tsx'
import { comparisonOf } from '../overview/verdict.ts'

/** What another budget would buy, where enough was measured to say so. */
export function BudgetConsequence() {
  const overview = useCall('overview', { query: { over: 'week' } }).data
  const comparison = overview === null ? null : comparisonOf(overview)
  if (overview === null || comparison === null) return null
  return <BudgetCurve comparison={comparison} price={overview.budget.price} />
}
