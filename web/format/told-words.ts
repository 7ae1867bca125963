import type { Problem, ReasonClause, SourceDetail } from '../../src/api/operations/wire.ts'
import { figure } from '../language/amounts.ts'
import { t } from '../language/current.ts'
import { formatDuration } from './words.ts'

interface Told {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly params?: Problem['params'] | undefined
  readonly phrase?: Problem['phrase'] | undefined
}

export interface ToldWords {
  readonly message: string
  readonly hint: string
}

/** What the node says is wrong: in the language of the page where its code is known, else as it came. */
export function errorWords({ code, message, hint, params, phrase }: Told): ToldWords {
  const words = t.node.errors[code]
  if (words === undefined) return { message, hint }
  const detail = phrase === undefined ? detailOf(params ?? {}) : phraseWords(phrase)
  return { message: detail === null ? words[0] : `${words[0]}: ${detail}`, hint: words[1] }
}

function detailOf({ retryAfterS, detail }: NonNullable<Problem['params']>): string | null {
  if (typeof retryAfterS === 'number') return t.problems.tryIn({ time: formatDuration(retryAfterS * 1_000) })
  return detail === undefined ? null : String(detail)
}

type Said = NonNullable<Problem['phrase']>

/** A sentence of the node in the language of the page; in English where that does not know it. */
export function phraseWords({ form, params }: Said): string {
  // They come with the words of the other pages.
  const text = t.phrases?.[form] ?? form
  return text.replace(/\{(\d+)\}/g, (_all, number: string) => partWords(params[Number(number) - 1] ?? ''))
}

function partWords(part: Said['params'][number]): string {
  if (typeof part !== 'object') return String(part)
  if ('form' in part) return phraseWords(part)
  const words = part.map(partWords)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${t.node.or} ${words.at(-1)}`
}

export function alarmWords({ code, summary, hint }: { code: string; summary: string; hint: string }): ToldWords {
  const [message, whatToDo] = t.node.alarms[code] ?? [summary, hint]
  return { message, hint: whatToDo }
}

interface AlertRow {
  readonly kind: string
  readonly name: string | null
  readonly title: string
  readonly hint: string
}

export function alertWords({ kind, name, title, hint }: AlertRow): ToldWords {
  const [message, whatToDo] = t.node.alerts[kind]?.(name ?? '') ?? [title, hint]
  return { message, hint: whatToDo }
}

/** What is wrong with one field of a form. */
export function inputWords({ code, message, params }: NonNullable<Problem['errors']>[number]): string {
  const words = code === undefined ? undefined : t.node.inputs[code]
  return words === undefined ? message : words(written(params ?? {}))
}

/** Why a source is looked at when it is; null: nothing is said. */
export function reasonWords({
  nextCheckReason,
  nextCheckClauses,
}: Pick<SourceDetail, 'nextCheckReason' | 'nextCheckClauses'>): string | null {
  const clauses = nextCheckClauses.map(({ code, params }) => t.node.reasons[code]?.(written(params)))
  return clauses.length === 0 || clauses.includes(undefined) ? nextCheckReason : clauses.join(', ')
}

/** Amounts as they are written here; names that end with Ms are lengths of time. */
function written(params: ReasonClause['params']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : name.endsWith('Ms') ? formatDuration(value) : figure(value),
    ]),
  )
}
