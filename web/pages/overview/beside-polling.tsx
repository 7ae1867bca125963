import type { Overview } from '../../../src/api/operations/wire.ts'
import { durationWords } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { BarList } from '../../ui/bar-list.tsx'

type Figures = NonNullable<Overview['besidePolling']>['own']

/** What the same requests would have got at fixed intervals, simulated on what the feeds published; absent where nobody did. */
export function BesidePolling({ comparison }: { readonly comparison: Overview['besidePolling'] }) {
  if (comparison === null) return null
  const { requests, everyMs, own, polling, from, to } = comparison
  const bar = (key: string, name: string, { meanDelayMs, lost }: Figures) => ({
    key,
    name,
    value: meanDelayMs,
    label: <>{t.overview.lateAndLost({ delay: durationWords(meanDelayMs), lost: lossWords(lost) })}</>,
  })
  return (
    <section className="panel stack tight">
      <h2>{t.overview.besidePolling}</h2>
      <p className="lead">
        {t.overview.besideLead({
          requests: count(requests),
          span: durationWords(to - from),
          every: durationWords(everyMs),
        })}
      </p>
      <BarList bars={[bar('own', t.overview.thisNode, own), bar('polling', t.overview.polling, polling)]} />
    </section>
  )
}

function lossWords(lost: number): string {
  return lost < 1 ? t.overview.noneLost : t.overview.lost({ items: count(lost) })
}
