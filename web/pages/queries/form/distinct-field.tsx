import { useId } from 'react'
import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'
import { t } from '../../../language/current.ts'

type Distinct = QueryFormFields['distinct']

const SIMILARITY = 0.8
const USUAL: NonNullable<Distinct> = { by: 'SIMILAR', threshold: SIMILARITY, window: 'LAST 1 DAY' }

const ways = () =>
  [
    ['SIMILAR', t.queries.similarTitle],
    ['TITLE', t.queries.sameTitle],
    ['LINK', t.queries.sameAddress],
  ] as const

const usualWindows = () =>
  [
    ['LAST 1 HOUR', t.queries.anHour],
    ['LAST 1 DAY', t.queries.hours24],
    ['LAST 3 DAYS', t.queries.days3],
    ['LAST 1 WEEK', t.queries.aWeek],
  ] as const

interface DistinctFieldProps {
  readonly distinct: Distinct
  readonly onChange: (distinct: Distinct) => void
}

/** The same story once. */
export function DistinctField({ distinct, onChange }: DistinctFieldProps) {
  const id = useId()
  const windows: readonly (readonly [string, string])[] =
    distinct === null || usualWindows().some(([window]) => window === distinct.window)
      ? usualWindows()
      : [...usualWindows(), [distinct.window, distinct.window.toLowerCase().replace(/^last /, t.queries.theLast)]]
  return (
    <div className="stack tight">
      <label className="row" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={distinct !== null}
          onChange={(event) => onChange(event.target.checked ? USUAL : null)}
        />
        {t.queries.sameStoryOnce}
      </label>
      {distinct !== null && (
        <div className="row distinct">
          <select
            aria-label={t.queries.whatIsSame}
            value={distinct.by}
            onChange={(event) => {
              const by = event.target.value as ReturnType<typeof ways>[number][0]
              onChange({ ...distinct, by, threshold: by === 'SIMILAR' ? SIMILARITY : null })
            }}
          >
            {ways().map(([by, words]) => (
              <option key={by} value={by}>
                {words}
              </option>
            ))}
          </select>
          <select
            aria-label={t.queries.within}
            value={distinct.window}
            onChange={(event) => onChange({ ...distinct, window: event.target.value })}
          >
            {windows.map(([window, words]) => (
              <option key={window} value={window}>
                {t.queries.withinTime({ time: words })}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  )
}
