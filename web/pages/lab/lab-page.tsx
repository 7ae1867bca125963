import { type FormEvent, useState } from 'react'
import type { Job, LabResult } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { useJob } from '../../client/use-job.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { Field } from '../../ui/field.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import './lab.css'
import { durationWords } from '../../format/words.ts'
import { comparisonOf, laterWords } from '../overview/verdict.ts'
import { budgetsFrom, MINUTES_A_DAY, suggestedBudgets } from './budgets.ts'
import { conclusionOf } from './conclusion.ts'
import { LabCurves } from './lab-curves.tsx'
import { type Policy, policyGroups } from './policies.ts'

const spans = () =>
  [
    ['day', t.overview.periods.day],
    ['week', t.overview.periods.week],
    ['month', t.lab.month],
  ] as const

const MOST_STRATEGIES = 6
const budgetsHelp = () => t.lab.budgetsHelp
const budgetsWrong = () => t.lab.budgetsWrong

export default function LabPage() {
  const budget = useCall('showBudget', {})
  const [startedJob, setBegun] = useState<Job | null>(null)
  const job = useJob(startedJob)
  const result = job?.state === 'done' ? (job.result as LabResult | null) : null
  return (
    <Page title={t.shell.pages.lab}>
      <p className="lab-conclusion" role="status">
        {result === null ? <NodeConclusion /> : conclusionOf(result)}
      </p>
      <Failure error={budget.error} />
      {budget.data === null ? (
        budget.error === null && <Loading what={t.lab.theStrategies} />
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
                <JobProgress job={job} what={t.lab.replay} />
              </section>
            )}
            {result !== null && <LabCurves result={result} />}
            {job === null && (
              <section className="panel">
                <Empty title={t.lab.nothingCompared}>{t.lab.nothingHint}</Empty>
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
    return t.lab.tooEarly
  }
  const { ownDelayMs, pollingEveryMs } = comparison
  return t.lab.thisWeek({
    strategy: overview.budget.strategy,
    delay: durationWords(ownDelayMs),
    every: durationWords(pollingEveryMs),
    later: laterWords(comparison),
  })
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
    const perMinute = parsed.map((perDay) => perDay / MINUTES_A_DAY)
    const body = { strategies: [...chosen], requestsPerMinute: perMinute, over }
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
      <p className="small muted">{t.lab.upTo({ n: MOST_STRATEGIES, current })}</p>
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
        label={t.lab.requestsADay}
        help={parsed === null ? <span className="mistake">{budgetsWrong()}</span> : budgetsHelp()}
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
      <Segments legend={t.lab.history} options={spans()} value={over} onChange={setOver} />
      <Failure error={run.error} />
      <button
        type="submit"
        className="button main"
        disabled={!can('write') || isRunning || run.isRunning || parsed === null || chosen.length === 0}
      >
        {isRunning ? t.lab.running : t.lab.compare}
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
        <span className="small muted">{t.lab.ofChosen({ ticked, all: policies.length })}</span>
      </summary>
      <ul>
        {policies.map((policy) => (
          <li key={policy.id}>
            <PolicyTick policy={policy} chosen={chosen} onToggle={onToggle} />
          </li>
        ))}
      </ul>
    </details>
  )
}

interface PolicyTickProps extends Pick<PoliciesProps, 'chosen' | 'onToggle'> {
  readonly policy: Policy
}

function PolicyTick({ policy: { id, words }, chosen, onToggle }: PolicyTickProps) {
  return (
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
  )
}
