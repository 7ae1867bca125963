import { Link } from 'wouter'
import { useCall } from '../../client/use-call.ts'
import { figure } from '../../format/words.ts'

const MINUTES_A_DAY = 1_440
/** Below one a minute, a day says more. */
const FEW_A_MINUTE = 2
const LOOK_EVERY_MS = 5_000

/** What the budget does now. */
export function BudgetLead() {
  const { data } = useCall('showBudget', {}, { everyMs: LOOK_EVERY_MS })
  if (data === null) return 'How much Headwater may ask of the web.'
  const { spentPerMinute, requestsPerMinute, price } = data
  const isFew = requestsPerMinute < FEW_A_MINUTE
  const factor = isFew ? MINUTES_A_DAY : 1
  return (
    <>
      How much Headwater may ask of the web. It spends {figure(Math.round(spentPerMinute * factor * 10) / 10)} of{' '}
      {figure(requestsPerMinute * factor)} requests a {isFew ? 'day' : 'minute'};{' '}
      {price === null || price === 0 ? 'more would change nothing' : 'more would make news fresher'}.{' '}
      <Link href="/lab">Compare in the Lab</Link>
    </>
  )
}
