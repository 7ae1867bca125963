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
import { durationWords } from '../../format/words.ts'
import { comparisonOf, laterWords } from '../overview/verdict.ts'
import { budgetsFrom, suggestedBudgets } from './budgets.ts'
import { conclusionOf } from './conclusion.ts'
import { LabCurves } from './lab-curves.tsx'
import { type Policy, policyGroups } from './policies.ts'

const SPANS = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const

const MOST_STRATEGIES = 6
const BUDGETS_HELP = 'Up to eight budgets, separated by commas.'
const BUDGETS_WRONG = 'Write one to eight numbers above 0, separated by commas: 0.1, 0.3, 1.'

export default function LabPage() {
  const budget = useCall('showBudget', {})
  const [startedJob, setBegun] = useState<Job | null>(null)
  const job = useJob(startedJob)
  const result = job?.state === 'done' ? (job.result as LabResult | null) : null
  return (
    <Page title="Lab">
      <p className="lab-conclusion" role="status">
        {result === null ? <NodeConclusion /> : conclusionOf(result)}
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
                  What would have happened with other strategies and budgets? Choose some and press Compare: they are
                  replayed on what this node itself has seen.
                </Empty>
              </section>
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

/** Before anything was compared: what the node measured itself, beside polling. */
function NodeConclusion() {
  const overview = useCall('overview', { query: { over: 'week' } }).data
  const comparison = overview === null ? null : comparisonOf(overview)
  if (overview === null || comparison === null) {
    return 'Which strategy would bring your news soonest? That can be told when the node has been at work for half an hour.'
  }
  const { ownDelayMs, pollingEveryMs } = comparison
  return `This week ${overview.budget.strategy} brought news ${durationWords(ownDelayMs)} after it appeared; polling every feed each ${durationWords(pollingEveryMs)} with the same requests would ${laterWords(comparison)}.`
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
      <p className="small muted">
        Up to {MOST_STRATEGIES} strategies; this node uses {current}.
      </p>
      {policyGroups(strategies).map(({ title, policies }) => (
        <Policies
          key={title}
          title={title}
          policies={policies}
          chosen={chosen}
          isOpen={policies.some(({ id }) => id === current)}
          onToggle={toggle}
        />
      ))}
      <Field
        label="Requests a minute"
        help={parsed === null ? <span className="mistake">{BUDGETS_WRONG}</span> : BUDGETS_HELP}
      >
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

interface PoliciesProps {
  readonly title: string
  readonly policies: readonly Policy[]
  readonly chosen: readonly string[]
  readonly isOpen: boolean
  readonly onToggle: (id: string) => void
}

function Policies({ title, policies, chosen, isOpen, onToggle }: PoliciesProps) {
  const ticked = policies.filter(({ id }) => chosen.includes(id)).length
  return (
    <details className="fold policies" open={isOpen || undefined}>
      <summary>
        <h2>{title}</h2>
        <span className="small muted">
          {ticked} of {policies.length} chosen
        </span>
      </summary>
      <ul>
        {policies.map(({ id, words }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                disabled={!chosen.includes(id) && chosen.length >= MOST_STRATEGIES}
                onChange={() => onToggle(id)}
              />
              <strong>{id}</strong>
              <span className="small muted">{words}</span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}
