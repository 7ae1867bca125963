import { type FormEvent, useState } from 'react'
import type { Job, LabResult } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { useJob } from '../../client/use-job.ts'
import { useSession } from '../../session/session.tsx'
import { Field } from '../../ui/field.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import './lab.css'
import { budgetsFrom, suggestedBudgets } from './budgets.ts'
import { LabCurves } from './lab-curves.tsx'

const SPANS = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const

const MOST_STRATEGIES = 6

export default function LabPage() {
  const budget = useCall('showBudget', {})
  const [startedJob, setBegun] = useState<Job | null>(null)
  const job = useJob(startedJob)
  const result = job?.state === 'done' ? (job.result as LabResult | null) : null
  return (
    <Page title="Lab">
      <p className="muted">
        What would have happened with other strategies and budgets? Replayed on what this node itself has seen.
      </p>
      <Failure error={budget.error} />
      {budget.data === null ? (
        budget.error === null && <Loading what="the strategies" />
      ) : (
        <div className="lab-grid">
          <Form
            strategies={budget.data.strategies}
            current={budget.data.strategy}
            requestsPerMinute={budget.data.requestsPerMinute}
            isRunning={job?.state === 'running'}
            onBegun={setBegun}
          />
          <div className="stack">
            {job !== null && result === null && (
              <section className="panel">
                <JobProgress job={job} what="Replay" />
              </section>
            )}
            {result !== null && <LabCurves result={result} />}
            {job === null && (
              <section className="panel">
                <Empty title="Nothing compared yet">
                  Choose strategies and budgets, and see how late and how complete each would have been.
                </Empty>
              </section>
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

interface FormProps {
  readonly strategies: readonly string[]
  readonly current: string
  readonly requestsPerMinute: number
  readonly isRunning: boolean
  readonly onBegun: (job: Job) => void
}

function Form({ strategies, current, requestsPerMinute, isRunning, onBegun }: FormProps) {
  const { can } = useSession()
  const [chosen, setChosen] = useState<readonly string[]>(() => [...new Set([current, 'uniform'])])
  const [budgets, setBudgets] = useState(() => suggestedBudgets(requestsPerMinute).join(', '))
  const [over, setOver] = useState<'day' | 'week' | 'month'>('week')
  const parsed = budgetsFrom(budgets)
  const run = useAction(async () => {
    if (parsed === null) return
    const body = { strategies: [...chosen], requestsPerMinute: parsed, over }
    onBegun((await call('runLab', { body })).job)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.run()
  }
  const toggle = (name: string) =>
    setChosen((last) => (last.includes(name) ? last.filter((one) => one !== name) : [...last, name]))
  return (
    <form className="panel stack" onSubmit={submit}>
      <fieldset className="checks">
        <legend>Strategies</legend>
        {strategies.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= MOST_STRATEGIES}
              onChange={() => toggle(name)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <Field label="Requests a minute" help="Up to eight budgets, separated by commas.">
        {(ids) => (
          <input
            {...ids}
            value={budgets}
            aria-invalid={parsed === null}
            onChange={(event) => setBudgets(event.target.value)}
          />
        )}
      </Field>
      <Segments legend="History" options={SPANS} value={over} onChange={setOver} />
      <Failure error={run.error} />
      <button
        type="submit"
        className="button main"
        disabled={!can('write') || isRunning || run.isRunning || parsed === null || chosen.length === 0}
      >
        {isRunning ? 'Running …' : 'Compare'}
      </button>
    </form>
  )
}
