import { useState } from 'react'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { call, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { EMPTY_RULE, formOf, ruleOf, type SiteRuleForm } from './site-rule-form.ts'

type Trial = OperationAnswer<'trySiteRule'>['trials'][number]

const CHOICES = 20

/** Rules that say what the article is on pages where the general way fails: tried on a stored page, then saved. */
export function SiteRules({ source }: { readonly source: SourceDetail }) {
  const rules = useCall('listSiteRules', {})
  const [form, setForm] = useState<SiteRuleForm | null>(null)
  const remove = useAction(async (name: string) => {
    await call('removeSiteRule', { params: { name } })
    rules.reload()
  })
  return (
    <div className="stack tight">
      <h3>{t.source.rules}</h3>
      <p className="small muted">{t.source.rulesLead}</p>
      <ul>
        {rules.data?.rules.map((rule) => (
          <li key={rule.name} className="row apart">
            <span className="any-break">
              {rule.name} <code>{rule.hosts.join(', ')}</code>
            </span>
            <span className="row">
              <button type="button" className="button little" onClick={() => setForm(formOf(rule))}>
                {t.source.change}
              </button>
              <button type="button" className="button little danger" onClick={() => remove.run(rule.name)}>
                {t.source.remove}
              </button>
            </span>
          </li>
        ))}
      </ul>
      <Failure error={rules.error ?? remove.error} />
      {form === null ? (
        <div>
          <button type="button" className="button" onClick={() => setForm({ ...EMPTY_RULE, ...namesFor(source) })}>
            {t.source.makeRule}
          </button>
        </div>
      ) : (
        <RuleEditor
          source={source}
          form={form}
          onChange={setForm}
          onSaved={() => {
            setForm(null)
            rules.reload()
          }}
        />
      )}
    </div>
  )
}

function namesFor({ name, url, siteUrl }: SourceDetail): Pick<SiteRuleForm, 'name' | 'hosts'> {
  return { name: name.slice(0, 60), hosts: new URL(siteUrl ?? url).hostname }
}

interface RuleEditorProps {
  readonly source: SourceDetail
  readonly form: SiteRuleForm
  readonly onChange: (form: SiteRuleForm | null) => void
  readonly onSaved: () => void
}

function RuleEditor({ source, form, onChange, onSaved }: RuleEditorProps) {
  const items = useCall('listItems', { query: { sourceId: source.id, limit: CHOICES } })
  const [chosen, setChosen] = useState<number | null>(null)
  const [trial, setTrial] = useState<Trial | null>(null)
  const seq = chosen ?? items.data?.items[0]?.seq ?? null
  const rule = ruleOf(form)
  const isReady = rule !== null && seq !== null
  const attempt = useAction(async () => {
    setTrial(null)
    if (!isReady) return
    const { trials } = await call('trySiteRule', { body: { rule, items: [seq] } })
    setTrial(trials[0] ?? null)
  })
  const save = useAction(async () => {
    if (!isReady) return
    await call('addSiteRule', { body: { rule, items: [seq] } })
    onSaved()
  })
  return (
    <section className="stack tight" aria-label={t.source.aRule}>
      <RuleFields
        form={form}
        onChange={(next) => {
          setTrial(null)
          onChange(next)
        }}
      />
      <Field label={t.source.tryOn}>
        {(ids) => (
          <select {...ids} value={seq ?? ''} onChange={(event) => setChosen(Number(event.target.value))}>
            {items.data?.items.map((item) => (
              <option key={item.seq} value={item.seq}>
                {item.title ?? item.link ?? t.source.itemNumber({ seq: item.seq })}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Failure error={items.error ?? attempt.error ?? save.error} />
      {trial !== null && <TrialPreview trial={trial} />}
      <div className="row">
        <button type="button" className="button" disabled={!isReady || attempt.isRunning} onClick={() => attempt.run()}>
          {t.source.tryIt}
        </button>
        <button
          type="button"
          className="button main"
          disabled={trial === null || trial.problems.length > 0 || save.isRunning}
          onClick={() => save.run()}
        >
          {t.source.saveRule}
        </button>
        <button type="button" className="button" onClick={() => onChange(null)}>
          {t.source.cancel}
        </button>
      </div>
    </section>
  )
}

const lines = () =>
  [
    ['content', t.source.article, t.source.articleHelp],
    ['remove', t.source.goesBefore, t.source.goesHelp],
    ['title', t.source.title, t.source.titleHelp],
    ['author', t.source.author, undefined],
    ['date', t.source.date, undefined],
  ] as const

function RuleFields({
  form,
  onChange,
}: {
  readonly form: SiteRuleForm
  readonly onChange: (form: SiteRuleForm) => void
}) {
  return (
    <>
      <Field label={t.source.ruleName}>
        {(ids) => (
          <input {...ids} value={form.name} onChange={(event) => onChange({ ...form, name: event.target.value })} />
        )}
      </Field>
      <Field label={t.source.hosts} help={t.source.hostsHelp}>
        {(ids) => (
          <input
            {...ids}
            autoCapitalize="none"
            spellCheck={false}
            value={form.hosts}
            onChange={(event) => onChange({ ...form, hosts: event.target.value })}
          />
        )}
      </Field>
      {lines().map(([name, label, help]) => (
        <Field key={name} label={label} {...(help === undefined ? {} : { help })}>
          {(ids) => (
            <textarea
              {...ids}
              rows={name === 'content' || name === 'remove' ? 2 : 1}
              autoCapitalize="none"
              spellCheck={false}
              value={form[name]}
              onChange={(event) => onChange({ ...form, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  )
}

/** What the rule makes of the page. */
function TrialPreview({ trial }: { readonly trial: Trial }) {
  const { problems, title, author, published, beginning, characters, found } = trial
  const facts = [author, published === null ? null : new Date(published).toISOString().slice(0, 10)].filter(
    (one) => one !== null,
  )
  return (
    <div
      className={problems.length === 0 ? 'notice stack tight' : 'notice bad stack tight'}
      role="status"
      aria-label={t.source.preview}
    >
      {problems.map((problem) => (
        <strong key={problem}>{problem}</strong>
      ))}
      {title !== null && <strong>{title}</strong>}
      {facts.length > 0 && <span className="small muted">{facts.join(' · ')}</span>}
      {beginning !== null && <p className="any-break">{beginning}</p>}
      <span className="small muted">
        {t.source.charactersFound({ characters: t.common.characters({ n: characters }), found: foundInWords(found) })}
      </span>
    </div>
  )
}

function foundInWords(found: Trial['found']): string {
  return Object.entries(found)
    .map(([part, elements]) => `${part} ${count(elements)}`)
    .join(', ')
}
