import { useEffect, useState } from 'react'
import type { QueryError, QueryFormFields } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { queryText } from './form/query-text.ts'
import { useSettledValue } from './use-settled.ts'

const CHECK_AFTER_MS = 150
const NO_ERRORS: readonly QueryError[] = []

interface QueryDraft {
  readonly text: string
  /** The text that was checked last: the same, or what it was a moment ago. */
  readonly settled: string
  /** null: the text does not make one feed. */
  readonly form: QueryFormFields | null
  readonly errors: readonly QueryError[]
  readonly isRight: boolean
  readonly isWrong: boolean
  readonly failure: unknown
  readonly setText: (text: string) => void
  readonly setForm: (form: QueryFormFields) => void
  /** Back to this text. */
  readonly reset: (text: string) => void
  /** Grows when the text was written by the form, or reset. */
  readonly revision: number
}

/** A query that is being written, as text and as form; the node reads the text, and the form is written here. */
export function useQueryDraft(firstText: string, replace: boolean): QueryDraft {
  const [text, setText] = useState(firstText)
  const [form, setForm] = useState<QueryFormFields | null>(null)
  const [revision, setRevision] = useState(0)
  const write = (written: string) => {
    setText(written)
    setRevision((last) => last + 1)
  }
  const settled = useSettledValue(text, CHECK_AFTER_MS)
  const check = useCall('checkQueries', { body: { text: settled, replace } })
  const { data } = check
  useEffect(() => {
    // An answer to an older text must not undo what was typed into the form since.
    if (data?.ok === true && settled === text) setForm(data.form)
  }, [data, settled, text])
  return {
    text,
    settled,
    form,
    errors: data?.errors ?? NO_ERRORS,
    isRight: data?.ok === true,
    isWrong: data?.ok === false,
    failure: check.error,
    setText,
    setForm(next) {
      setForm(next)
      write(queryText(next))
    },
    reset: write,
    revision,
  }
}
