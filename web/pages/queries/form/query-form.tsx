import { useState } from 'react'
import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'
import { Field } from '../../../ui/field.tsx'
import { DistinctField } from './distinct-field.tsx'
import { type FormRow, nameOfQuestion, type Question, rowsOf, type SearchedField, withWords } from './form-rows.ts'
import { OriginField } from './origin-field.tsx'
import { feedNameFrom } from './query-text.ts'
import { WordField } from './word-field.tsx'

interface QueryFormProps {
  readonly form: QueryFormFields
  /** The name of a feed that is there already cannot be changed. */
  readonly isNew: boolean
  /** There is a mistake in the text: until it is mended, the text alone can be changed. */
  readonly isFrozen: boolean
  readonly onChange: (form: QueryFormFields) => void
}

const PLACES: Readonly<Record<SearchedField, string>> = {
  TITLE: 'title',
  ITEM: 'title or text',
  DESCRIPTION: 'summary',
  CONTENT: 'full text',
  AUTHOR: 'author',
  CATEGORY: 'tags',
  'SOURCE CATEGORY': 'folder of its feed',
  SOURCE: 'feed name',
  LINK: 'address',
}

/** A query in words. Text and form say the same; each is rewritten as the other changes. */
export function QueryForm({ form, isNew, isFrozen, onChange }: QueryFormProps) {
  const [asked, setAsked] = useState<readonly Question[]>([])
  const rows = rowsOf(form.conditions, asked)
  return (
    <fieldset className="query-form stack" disabled={isFrozen}>
      <legend className="visually-hidden">In words</legend>
      <Naming form={form} isNew={isNew} onChange={onChange} />
      {form.from === null ? (
        <Locked label="Keep items from" lines={[form.fromText]} />
      ) : (
        <OriginField from={form.from} onChange={(from) => onChange({ ...form, from })} />
      )}
      {rows.map((row, i) => (
        <WordField
          key={row.key}
          label={labelOf(row, i)}
          words={row.words}
          placeholder="+ word or phrase"
          isNot={row.isNot}
          onChange={(words) => onChange({ ...form, conditions: withWords(form.conditions, row, words) })}
        />
      ))}
      <AddQuestion shown={rows} onAdd={(question) => setAsked([...asked, question])} />
      <Locked label="and, as only the language says it" lines={lockedLines(form)} />
      <DistinctField distinct={form.distinct} onChange={(distinct) => onChange({ ...form, distinct })} />
    </fieldset>
  )
}

function labelOf({ field, isNot }: FormRow, place: number): string {
  const where = PLACES[field]
  if (isNot) return `but not, in the ${where}`
  return `${place === 0 ? '' : 'and '}whose ${where} has any of`
}

function lockedLines({ joins, conditions, ending }: QueryFormFields): string[] {
  return [...joins, ...conditions.flatMap((one) => (one.kind === 'text' ? [one.text] : [])), ...ending]
}

function Naming({ form, isNew, onChange }: Pick<QueryFormProps, 'form' | 'isNew' | 'onChange'>) {
  const rename = (title: string) => {
    const follows = isNew && form.name === feedNameFrom(form.title ?? '')
    onChange({ ...form, title: title === '' ? null : title, name: follows ? feedNameFrom(title) : form.name })
  }
  return (
    <div className="query-naming">
      <Field label="Title">
        {(ids) => <input {...ids} value={form.title ?? ''} onChange={(event) => rename(event.target.value)} />}
      </Field>
      <Field label="Its address ends with">
        {(ids) => (
          <input
            {...ids}
            value={form.name}
            disabled={!isNew}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onChange({ ...form, name: event.target.value.replaceAll(/\s+/g, '-') })}
          />
        )}
      </Field>
    </div>
  )
}

/** What the form has no field for stays as it is. */
function Locked({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div className="field">
      <span className="label">{label}</span>
      {lines.map((line) => (
        <code key={line} className="locked">
          {line}
        </code>
      ))}
    </div>
  )
}

interface AddQuestionProps {
  readonly shown: readonly Question[]
  readonly onAdd: (question: Question) => void
}

function AddQuestion({ shown, onAdd }: AddQuestionProps) {
  const names = new Set(shown.map(nameOfQuestion))
  const fields = Object.keys(PLACES) as SearchedField[]
  const left = fields
    .flatMap((field) => [false, true].map((isNot): Question => ({ field, isNot })))
    .filter((question) => !names.has(nameOfQuestion(question)))
  if (left.length === 0) return null
  return (
    <select
      className="add-question"
      aria-label="Add a condition"
      value=""
      onChange={(event) => {
        const question = left.find((one) => nameOfQuestion(one) === event.target.value)
        if (question) onAdd(question)
      }}
    >
      <option value="">Add a condition …</option>
      {left.map((question) => (
        <option key={nameOfQuestion(question)} value={nameOfQuestion(question)}>
          {question.isNot ? 'not in the' : 'words in the'} {PLACES[question.field]}
        </option>
      ))}
    </select>
  )
}
