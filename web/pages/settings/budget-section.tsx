import { type FormEvent, useState } from 'react'
import type { BudgetState } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { figure, formatDuration } from '../../format/words.ts'
import { Field } from '../../ui/field.tsx'
import { Failure, Loading } from '../../ui/notice.tsx'
import { Segments } from '../../ui/segments.tsx'

const MINUTE_MS = 60_000

const GOALS = [
  ['budget', 'A budget'],
  ['quality', 'A wished quality'],
] as const

export function BudgetSection({ canChange }: { readonly canChange: boolean }) {
  const { data, error, reload } = useCall('showBudget', {})
  return (
    <section className="panel stack">
      <h2>Budget and strategy</h2>
      <Failure error={error} />
      {data === null ? error === null && <Loading what="the budget" /> : <Spent budget={data} />}
      {data !== null && canChange && <BudgetForm budget={data} onSaved={reload} />}
    </section>
  )
}

function Spent({ budget }: { readonly budget: BudgetState }) {
  return (
    <p className="small muted">
      {figure(budget.spentPerMinute)} of {figure(budget.requestsPerMinute)} requests a minute are spent; price τ{' '}
      {figure(budget.price)}; no source more often than every {formatDuration(budget.minIntervalMs)}, none less often
      than every {formatDuration(budget.maxIntervalMs)}.
    </p>
  )
}

interface BudgetFormProps {
  readonly budget: BudgetState
  readonly onSaved: () => void
}

function BudgetForm({ budget, onSaved }: BudgetFormProps) {
  const [goal, setGoal] = useState<'budget' | 'quality'>(budget.wish === null ? 'budget' : 'quality')
  const [amount, setAmount] = useState(() => budgetText(budget))
  const [wish, setWish] = useState(() => wishText(budget))
  const [strategy, setStrategy] = useState(budget.strategy)
  const [estimator, setEstimator] = useState(budget.estimator)
  const [isSaved, setSaved] = useState(false)
  const save = useAction(async () => {
    const quality = goal === 'quality' ? wish : null
    await call('setBudget', { body: { budget: amount, quality, strategy, estimator } })
    setSaved(true)
    onSaved()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSaved(false)
    save.run()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Segments legend="What to hold" options={GOALS} value={goal} onChange={setGoal} />
      <Field
        label={goal === 'budget' ? 'Requests to spend' : 'Requests to spend at most'}
        help="60/min, 300/hour or 5000/day"
      >
        {(ids) => <input {...ids} required value={amount} onChange={(event) => setAmount(event.target.value)} />}
      </Field>
      {goal === 'quality' && (
        <Field
          label="Wished quality"
          help="delay<15min or completeness>0.999; the least budget that holds it is found."
        >
          {(ids) => <input {...ids} required value={wish} onChange={(event) => setWish(event.target.value)} />}
        </Field>
      )}
      <Field label="Strategy">
        {(ids) => (
          <select {...ids} value={strategy} onChange={(event) => setStrategy(event.target.value)}>
            {budget.strategies.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Estimator">
        {(ids) => (
          <select {...ids} value={estimator} onChange={(event) => setEstimator(event.target.value)}>
            {budget.estimators.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <Failure error={save.error} />
      <div className="row">
        <button type="submit" className="button main" disabled={save.isRunning}>
          Save the budget
        </button>
        <span role="status">{isSaved && 'Saved; the node goes on with it.'}</span>
      </div>
    </form>
  )
}

function budgetText({ requests, perMs }: BudgetState): string {
  if (perMs === 24 * 60 * MINUTE_MS) return `${requests}/day`
  if (perMs === 60 * MINUTE_MS) return `${requests}/hour`
  return `${Number(((requests * MINUTE_MS) / perMs).toPrecision(6))}/min`
}

function wishText({ wish }: BudgetState): string {
  if (wish?.meanDelayMs) return `delay<${Math.round(wish.meanDelayMs / 1_000)}s`
  return wish?.completeness ? `completeness>${wish.completeness}` : 'delay<15min'
}
