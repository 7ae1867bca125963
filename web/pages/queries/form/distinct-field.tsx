import { useId } from 'react'
import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'

type Distinct = QueryFormFields['distinct']

const SIMILARITY = 0.8
const USUAL: NonNullable<Distinct> = { by: 'SIMILAR', threshold: SIMILARITY, window: 'LAST 1 DAY' }

const WAYS = [
  ['SIMILAR', 'with a similar title'],
  ['TITLE', 'with the same title'],
  ['LINK', 'with the same address'],
] as const

const WINDOWS = [
  ['LAST 1 HOUR', 'an hour'],
  ['LAST 1 DAY', '24 hours'],
  ['LAST 3 DAYS', '3 days'],
  ['LAST 1 WEEK', 'a week'],
] as const

interface DistinctFieldProps {
  readonly distinct: Distinct
  readonly onChange: (distinct: Distinct) => void
}

/** The same story once. */
export function DistinctField({ distinct, onChange }: DistinctFieldProps) {
  const id = useId()
  const windows: readonly (readonly [string, string])[] =
    distinct === null || WINDOWS.some(([window]) => window === distinct.window)
      ? WINDOWS
      : [...WINDOWS, [distinct.window, distinct.window.toLowerCase().replace(/^last /, 'the last ')]]
  return (
    <div className="stack tight">
      <label className="row" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={distinct !== null}
          onChange={(event) => onChange(event.target.checked ? USUAL : null)}
        />
        The same story only once
      </label>
      {distinct !== null && (
        <div className="row distinct">
          <select
            aria-label="What is the same story"
            value={distinct.by}
            onChange={(event) => {
              const by = event.target.value as (typeof WAYS)[number][0]
              onChange({ ...distinct, by, threshold: by === 'SIMILAR' ? SIMILARITY : null })
            }}
          >
            {WAYS.map(([by, words]) => (
              <option key={by} value={by}>
                {words}
              </option>
            ))}
          </select>
          <select
            aria-label="Within"
            value={distinct.window}
            onChange={(event) => onChange({ ...distinct, window: event.target.value })}
          >
            {windows.map(([window, words]) => (
              <option key={window} value={window}>
                within {words}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  )
}
