import { useState } from 'react'
import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'
import { t } from '../../../language/current.ts'
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

const places = (): Readonly<Record<SearchedField, string>> => ({
  TITLE: t.queries.placeTitle,
  ITEM: t.queries.placeItem,
  DESCRIPTION: t.queries.placeSummary,
  CONTENT: t.queries.placeText,
  AUTHOR: t.queries.placeAuthor,
  CATEGORY: t.queries.placeTags,
  'SOURCE CATEGORY': t.queries.placeFolder,
  SOURCE: t.queries.placeFeed,
  LINK: t.queries.placeAddress,
})

/** A query in words. Text and form say the same; each is rewritten as the other changes. */
export function QueryForm({ form, isNew, isFrozen, onChange }: QueryFormProps) {
  const [added, setAdded] = useState<readonly Question[]>([])
  const rows = rowsOf(form.conditions, added)
  return (
    <fieldset className="query-form stack" disabled={isFrozen}>
      <legend className="visually-hidden">{t.queries.inWords}</legend>
      <Naming form={form} isNew={isNew} onChange={onChange} />
      <KeptFrom form={form} onChange={onChange} />
      {rows.map((row, i) => (
        <WordField
          key={row.key}
          label={labelOf(row, i)}
          words={row.words}
          placeholder={t.queries.addWord}
          isNot={row.isNot}
          onChange={(words) => onChange({ ...form, conditions: withWords(form.conditions, row, words) })}
        />
      ))}
      <AddQuestion shown={rows} onAdd={(question) => setAdded([...added, question])} />
      <Locked label={t.queries.asLanguage} lines={lockedLines(form)} />
      <DistinctField distinct={form.distinct} onChange={(distinct) => onChange({ ...form, distinct })} />
    </fieldset>
  )
}

function KeptFrom({ form, onChange }: Pick<QueryFormProps, 'form' | 'onChange'>) {
  if (form.from === null) return <Locked label={t.queries.keepFrom} lines={[form.fromText]} />
  return <OriginField from={form.from} onChange={(from) => onChange({ ...form, from })} />
}

function labelOf({ field, isNot }: FormRow, place: number): string {
  const where = places()[field]
  if (isNot) return t.queries.butNot({ where })
  return t.queries.hasAny({ and: place === 0 ? '' : t.queries.and, where })
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
      <Field label={t.queries.title}>
        {(ids) => <input {...ids} value={form.title ?? ''} onChange={(event) => rename(event.target.value)} />}
      </Field>
      <Field label={t.queries.addressEnds}>
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
  const left = questionsBeside(shown)
  if (left.length === 0) return null
  return (
    <select
      className="add-question"
      aria-label={t.queries.addCondition}
      value=""
      onChange={(event) => {
        const question = left.find((one) => nameOfQuestion(one) === event.target.value)
        if (question) onAdd(question)
      }}
    >
      <option value="">{t.queries.addConditionDots}</option>
      {left.map((question) => (
        <option key={nameOfQuestion(question)} value={nameOfQuestion(question)}>
          {question.isNot ? t.queries.notIn : t.queries.wordsIn} {places()[question.field]}
        </option>
      ))}
    </select>
  )
}

/** Those that can still be asked. */
function questionsBeside(shown: AddQuestionProps['shown']): readonly Question[] {
  const names = new Set(shown.map(nameOfQuestion))
  const fields = Object.keys(places()) as SearchedField[]
  return fields
    .flatMap((field) => [false, true].map((isNot): Question => ({ field, isNot })))
    .filter((question) => !names.has(nameOfQuestion(question)))
}
