import { type FormEvent, useState } from 'react'
import { call, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'

type Rule = OperationAnswer<'listRules'>['rules'][number]

const actions = (): readonly (readonly [Rule['action'], string])[] => [
  ['mute', t.settings.ruleMute],
  ['read', t.settings.ruleRead],
  ['star', t.settings.ruleStar],
  ['tag', t.settings.ruleTag],
]

const placeOf = (folder: string): Rule['place'] =>
  folder === '' ? { kind: 'all' } : { kind: 'category', category: folder }

const wordsOf = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

export function RulesSection() {
  const rules = useCall('listRules', {})
  const [applied, setApplied] = useState<number | null>(null)
  const remove = useAction(async (id: number) => {
    await call('removeRule', { params: { id } })
    rules.reload()
  })
  return (
    <section className="panel stack">
      <h2>{t.settings.rules}</h2>
      <p className="small muted">{t.settings.rulesLead}</p>
      <ul className="lines">
        {rules.data?.rules.map(({ id, action, tag, query }) => (
          <li key={id} className="row apart">
            <span>
              <span className="badge">{tag ?? action}</span> <code>{query ?? t.settings.sourceGone}</code>
            </span>
            <button type="button" className="button little danger" onClick={() => remove.run(id)}>
              {t.settings.remove}
            </button>
          </li>
        ))}
      </ul>
      {applied !== null && (
        <p className="notice" role="status">
          {t.settings.appliedTo({ items: applied })}
        </p>
      )}
      <Failure error={rules.error ?? remove.error} />
      <RuleForm
        onAdded={(items) => {
          setApplied(items)
          rules.reload()
        }}
      />
    </section>
  )
}

function RuleForm({ onAdded }: { readonly onAdded: (items: number) => void }) {
  const categories = useCall('listCategories', {})
  const [action, setAction] = useState<Rule['action']>('mute')
  const [words, setWords] = useState('')
  const [folder, setFolder] = useState('')
  const [tag, setTag] = useState('')
  const add = useAction(async () => {
    const named = action === 'tag' ? { tag } : {}
    const body = { place: placeOf(folder), words: wordsOf(words), action, ...named }
    onAdded((await call('addRule', { body })).applied)
    setWords('')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.run()
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <Field label={t.settings.ruleWords}>
        {(ids) => <input {...ids} value={words} onChange={(event) => setWords(event.target.value)} />}
      </Field>
      <Field label={t.settings.from}>
        {(ids) => (
          <select {...ids} value={folder} onChange={(event) => setFolder(event.target.value)}>
            <option value="">{t.settings.everywhere}</option>
            {categories.data?.categories.map(({ category }) => (
              <option key={category}>{category}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.settings.whatHappens}>
        {(ids) => (
          <select {...ids} value={action} onChange={(event) => setAction(event.target.value as Rule['action'])}>
            {actions().map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {action === 'tag' && (
        <Field label={t.settings.tagName}>
          {(ids) => <input {...ids} value={tag} onChange={(event) => setTag(event.target.value)} />}
        </Field>
      )}
      <Failure error={add.error} />
      <div>
        <button type="submit" className="button" disabled={add.isRunning}>
          {t.settings.makeRule}
        </button>
      </div>
    </form>
  )
}
