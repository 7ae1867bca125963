import { useState } from 'react'
import { HeatMap } from '../../charts/heat-map.tsx'
import type { OperationAnswer } from '../../client/call.ts'
import { figure } from '../../format/amounts.ts'
import { Segments } from '../../ui/segments.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

const VIEWS = [
  ['learnt', 'Learnt'],
  ['seen', 'Seen'],
] as const

export function LearntRate({ model }: { readonly model: OperationAnswer<'sourceModel'> }) {
  const [view, setView] = useState<'learnt' | 'seen'>(model.week === null ? 'seen' : 'learnt')
  const week = view === 'learnt' ? model.week : model.seen
  return (
    <section className="panel stack tight wide">
      <div className="row apart">
        <h2>When it publishes</h2>
        <Segments legend="Show" options={VIEWS} value={view} onChange={setView} />
      </div>
      {week === null ? (
        <p className="muted">Nothing was learnt yet; it takes some refreshes.</p>
      ) : (
        <HeatMap
          label={view === 'learnt' ? 'Learnt rate by hour of the week' : 'Items seen by hour of the week'}
          week={week}
          unit={view === 'learnt' ? 'items an hour' : 'items'}
        />
      )}
      <p className="small muted">
        {model.form === null ? 'No model' : `Model ${model.form}`}, {figure(model.ratePerHour)} items an hour; learnt{' '}
        <TimeAgo at={model.learntAt} />. Hours are those of your clock.
      </p>
    </section>
  )
}
