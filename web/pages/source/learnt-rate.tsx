import { useState } from 'react'
import { HeatMap } from '../../charts/heat-map.tsx'
import type { OperationAnswer } from '../../client/call.ts'
import { t } from '../../language/current.ts'
import { Segments } from '../../ui/segments.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { rateWords } from '../sources/table-columns.ts'

const views = () =>
  [
    ['learnt', t.source.learnt],
    ['seen', t.source.seen],
  ] as const

interface LearntRateProps {
  readonly model: OperationAnswer<'sourceModel'>
}

export function LearntRate({ model }: LearntRateProps) {
  const [view, setView] = useState<'learnt' | 'seen'>(model.week === null ? 'seen' : 'learnt')
  const week = view === 'learnt' ? model.week : model.seen
  return (
    <section className="panel stack tight wide">
      <div className="row apart">
        <h2>{t.source.whenItPublishes}</h2>
        <Segments legend={t.source.show} options={views()} value={view} onChange={setView} />
      </div>
      {week === null ? (
        <p className="muted">{t.source.nothingLearnt}</p>
      ) : (
        <HeatMap
          label={view === 'learnt' ? t.source.learntRate : t.source.itemsSeen}
          week={week}
          unit={view === 'learnt' ? t.source.itemsAnHour : t.source.itemsUnit}
        />
      )}
      <AboutModel model={model} />
    </section>
  )
}

function AboutModel({ model }: LearntRateProps) {
  return (
    <p className="small muted">
      {t.source.modelWords({
        rate: rateWords(model.ratePerHour),
        when: <TimeAgo at={model.learntAt} />,
      })}
    </p>
  )
}
