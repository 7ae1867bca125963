import type { ReactNode } from 'react'
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
  const both = [
    ['own', t.overview.thisNode, own],
    ['polling', t.overview.polling, polling],
  ] as const
  const bars = (measure: keyof Figures, label: (figures: Figures) => string) =>
    both.map(([key, name, figures]) => ({ key, name, value: figures[measure], label: label(figures) }))
  return (
    <section className="panel stack tight beside">
      <h2>{t.overview.besidePolling}</h2>
      <p className="lead">
        {t.overview.besideLead({
          requests: count(requests),
          span: durationWords(to - from),
          every: durationWords(everyMs),
        })}
      </p>
      <div className="measures">
        <Measure title={t.overview.howLateThen}>
          <BarList bars={bars('meanDelayMs', ({ meanDelayMs }) => durationWords(meanDelayMs))} />
        </Measure>
        <Measure title={t.overview.itemsLost}>
          <BarList bars={bars('lost', ({ lost }) => (lost < 1 ? t.overview.noneLost : count(lost)))} />
        </Measure>
      </div>
    </section>
  )
}

function Measure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="stack tight">
      <h3>{title}</h3>
      {children}
    </div>
  )
}
