import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Segments } from '../../ui/segments.tsx'
import { QueryEditor } from './editor/query-editor.tsx'
import { QueryForm } from './form/query-form.tsx'
import { Preview } from './preview.tsx'
import { QueryVerdict } from './query-verdict.tsx'
import { useQueryDraft } from './use-query-draft.ts'

interface WorkbenchProps {
  readonly text: string
  readonly isNew: boolean
  readonly canSave: boolean
  readonly onSaved: () => void
}

const backFills = () =>
  [
    ['none', t.queries.fillNone],
    ['7d', t.queries.fill7],
    ['30d', t.queries.fill30],
    ['1000', t.queries.fill1000],
    ['all', t.queries.fillAll],
  ] as const

/** On a phone one of them at a time. */
const tabs = () =>
  [
    ['words', t.queries.words],
    ['language', t.queries.language],
    ['finds', t.queries.preview],
  ] as const
type Tab = ReturnType<typeof tabs>[number][0]

/** Two ways to say it, each of which rewrites the other; what is wrong, what it would hold, save. */
export function QueryWorkbench({ text: firstText, isNew, canSave, onSaved }: WorkbenchProps) {
  const [tab, setTab] = useState<Tab>('words')
  const [backFill, setBackFill] = useState('30d')
  const draft = useQueryDraft(firstText, !isNew)
  const save = useSave(draft.text, isNew, backFill, onSaved)
  const isEdited = draft.text !== firstText
  return (
    <div className="stack">
      <div className="workbench-tabs">
        <Segments legend={t.queries.partOfQuery} options={tabs()} value={tab} onChange={setTab} />
      </div>
      <div className="panel workbench" data-tab={tab}>
        <section className="words stack">
          <h2>{t.queries.inWords}</h2>
          {draft.form === null ? (
            <p className="muted">{draft.isWrong ? t.queries.shownWhenText : t.queries.formShowsOne}</p>
          ) : (
            <QueryForm form={draft.form} isNew={isNew} isFrozen={draft.isWrong} onChange={draft.setForm} />
          )}
          {canSave && <BeginWith value={backFill} onChange={setBackFill} />}
        </section>
        <section className="language stack">
          <h2>{t.queries.inLanguage}</h2>
          <QueryEditor
            label={t.queries.query}
            text={draft.text}
            revision={draft.revision}
            errors={draft.errors}
            onChange={draft.setText}
          />
          <QueryVerdict isRight={draft.isRight} errors={draft.errors} />
          <Failure error={draft.failure} />
          <p className="small muted">{t.queries.bothSides}</p>
        </section>
        <Preview text={draft.settled} isReady={draft.isRight} isWrong={draft.isWrong} />
      </div>
      <Failure error={save.error} />
      {canSave && (isNew || isEdited) && (
        <SaveBar
          save={t.queries.save}
          canSave={draft.isRight && draft.settled === draft.text}
          isSaving={save.isRunning}
          onSave={() => save.run()}
          onDiscard={isEdited ? () => draft.reset(firstText) : null}
        >
          {savingWords(isNew, draft.isWrong)}
        </SaveBar>
      )}
    </div>
  )
}

function savingWords(isNew: boolean, isWrong: boolean): string {
  if (isWrong) return t.queries.mistakeInText
  return isNew ? t.queries.notSaved : t.queries.edited
}

function useSave(text: string, isNew: boolean, backFill: string, onSaved: () => void) {
  const [, navigate] = useLocation()
  return useAction(async () => {
    const { done } = await call('applyQueries', { body: { text, replace: !isNew, backFill } })
    const change = done.findLast(({ action }) => action === 'created' || action === 'altered')
    onSaved()
    if (isNew) navigate(change ? `/queries/${encodeURIComponent(change.name)}` : '/queries')
  })
}

function BeginWith({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <Field label={t.queries.beginWith}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          {backFills().map(([amount, label]) => (
            <option key={amount} value={amount}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
