import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'

type FormCondition = QueryFormFields['conditions'][number]
type WordCondition = Extract<FormCondition, { kind: 'words' }>
export type SearchedField = WordCondition['field']

/** What a line of the form asks: words in a field, or that they are not there. */
export interface Question {
  readonly field: SearchedField
  readonly isNot: boolean
}

export interface FormRow extends Question {
  readonly key: string
  readonly words: readonly string[]
  /** Its place among the conditions; null: it has no words yet. */
  readonly index: number | null
}

/** Always there, in this order, so that one sees what can be asked. */
const USUAL: readonly Question[] = [
  { field: 'TITLE', isNot: false },
  { field: 'ITEM', isNot: false },
  { field: 'TITLE', isNot: true },
]

export const nameOfQuestion = ({ field, isNot }: Question): string => `${isNot ? 'not ' : ''}${field}`

/** A row for each condition in words, and an empty one for each question that nobody has answered yet. */
export function rowsOf(conditions: readonly FormCondition[], added: readonly Question[]): FormRow[] {
  const questions = [...new Map([...USUAL, ...added].map((one) => [nameOfQuestion(one), one])).values()]
  const written = conditions.flatMap((one, index) => (one.kind === 'words' ? [{ ...one, index }] : []))
  const others = written.filter(
    (one) => !questions.some((question) => nameOfQuestion(question) === nameOfQuestion(one)),
  )
  const all = [...questions, ...new Map(others.map((one) => [nameOfQuestion(one), one])).values()]
  return all.flatMap(({ field, isNot }): FormRow[] => {
    const name = nameOfQuestion({ field, isNot })
    const found = written.filter((one) => nameOfQuestion(one) === name)
    if (found.length === 0) return [{ key: `${name} 0`, field, isNot, words: [], index: null }]
    return found.map(({ words, index }, nth) => ({ key: `${name} ${nth}`, field, isNot, words, index }))
  })
}

/** The conditions after somebody has changed the words of a row; a row without words asks nothing. */
export function withWords(
  conditions: readonly FormCondition[],
  { field, isNot, index }: FormRow,
  words: readonly string[],
): FormCondition[] {
  const changed: FormCondition[] = words.length === 0 ? [] : [{ kind: 'words', field, isNot, words: [...words] }]
  if (index === null) return [...conditions, ...changed]
  return conditions.flatMap((one, at) => (at === index ? changed : [one]))
}
