import { Link } from 'wouter'
import { useCall } from '../../client/use-call.ts'
import { figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'

const MINUTES_A_DAY = 1_440
/** Below one a minute, a day says more. */
const FEW_A_MINUTE = 2
const LOOK_EVERY_MS = 5_000

/** What the budget does now. */
export function BudgetLead() {
  const { data } = useCall('showBudget', {}, { everyMs: LOOK_EVERY_MS })
  if (data === null) return t.settings.howMuch
  const { spentPerMinute, requestsPerMinute, price } = data
  const isFew = requestsPerMinute < FEW_A_MINUTE
  const factor = isFew ? MINUTES_A_DAY : 1
  return (
    <>
      {t.settings.spends({
        spent: figure(Math.round(spentPerMinute * factor * 10) / 10),
        allowed: figure(requestsPerMinute * factor),
        time: isFew ? t.settings.aDay : t.settings.aMinute,
        more: price === null || price === 0 ? t.settings.moreNothing : t.settings.moreFresher,
        link: <Link href="/lab">{t.settings.compareInLab}</Link>,
      })}
    </>
  )
}
