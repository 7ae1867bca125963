import { useState } from 'react'
import { useLocation } from 'wouter'
import type { QueryError } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { plural } from '../../format/words.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { QueryEditor } from './editor/query-editor.tsx'
import { Preview } from './preview.tsx'
import { useSettledValue } from './use-settled.ts'

interface WorkbenchProps {
  readonly text: string
  readonly isNew: boolean
  readonly canSave: boolean
  readonly onSaved: () => void
}

const CHECK_AFTER_MS = 200
const NO_ERRORS: readonly QueryError[] = []

const BACK_FILLS = [
  ['none', 'nothing, only what comes from now on'],
  ['7d', 'the last 7 days'],
  ['30d', 'the last 30 days'],
  ['1000', 'the last 1,000 items'],
  ['all', 'the whole archive'],
] as const

/** Write, see what is wrong, see what it would hold, save. */
export function QueryWorkbench({ text: firstText, isNew, canSave, onSaved }: WorkbenchProps) {
  const [, navigate] = useLocation()
  const [text, setText] = useState(firstText)
  const [backFill, setBackFill] = useState('30d')
  const settled = useSettledValue(text, CHECK_AFTER_MS)
  const check = useCall('checkQueries', { body: { text: settled, replace: !isNew } })
  const errors = check.data?.errors ?? NO_ERRORS
  const isChecked = check.data?.ok === true && settled === text
  const save = useAction(async () => {
    const { done } = await call('applyQueries', { body: { text, replace: !isNew, backFill } })
    const change = done.findLast(({ action }) => action === 'created' || action === 'altered')
    onSaved()
    if (isNew) navigate(change ? `/queries/${encodeURIComponent(change.name)}` : '/queries')
  })
  return (
    <div className="query-grid">
      <section className="panel stack">
        <h2>Query</h2>
        <QueryEditor label="Query" text={firstText} errors={errors} onChange={setText} />
        <Verdict ok={check.data?.ok ?? null} statements={check.data?.statements ?? 0} errors={errors} />
        <Failure error={check.error} />
        {canSave && (
          <>
            <Field label="Begin with">
              {(ids) => (
                <select {...ids} value={backFill} onChange={(event) => setBackFill(event.target.value)}>
                  {BACK_FILLS.map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Failure error={save.error} />
            <div className="row">
              <button
                type="button"
                className="button main"
                disabled={!isChecked || save.isRunning}
                onClick={() => save.run()}
              >
                {save.isRunning ? 'Saving …' : 'Save'}
              </button>
              <span className="small muted">
                <kbd>Ctrl</kbd> <kbd>Space</kbd> completes names and fields
              </span>
            </div>
          </>
        )}
      </section>
      <Preview text={settled} isReady={check.data?.ok === true} />
    </div>
  )
}

interface VerdictProps {
  readonly ok: boolean | null
  readonly statements: number
  readonly errors: readonly QueryError[]
}

function Verdict({ ok, statements, errors }: VerdictProps) {
  return (
    <div role="status" className="stack tight">
      {ok === true && (
        <p>
          <span className="badge good">No mistake</span>{' '}
          <span className="small muted">{plural(statements, 'statement')}</span>
        </p>
      )}
      {errors.map((error) => (
        <div key={`${error.offset} ${error.code}`} className="notice bad query-error">
          <strong>
            Line {error.line}, column {error.column}: {error.message}
          </strong>
          <span className="hint">
            {error.hint} <span className="muted">{error.code}</span>
          </span>
        </div>
      ))}
    </div>
  )
}
