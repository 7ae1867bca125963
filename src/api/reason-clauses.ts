import type { z } from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/index.ts'
import { REASON_FORMS, type ReasonCode, type reasonClause } from './operations/reason-forms.ts'

type Clause = z.infer<typeof reasonClause>

const UNIT_MS = { s: SECOND_MS, min: MINUTE_MS, h: HOUR_MS, days: DAY_MS } as const
const CONNECTOR = /(?:; |, |: | )/y

interface Form {
  readonly code: ReasonCode
  readonly pattern: RegExp
  readonly slots: readonly string[]
}

const DURATION = '(\\d+(?:\\.\\d+)? (?:s|min|h|days)|never)'
const NUMBER = '(\\d[\\d.,]*(?:e[+-]?\\d+)?)'
const SLOT_PATTERNS: Readonly<Record<string, string>> = {
  strategy: '([\\w-]+)',
  error: '(\\w+)',
  wish: '([^)]*)',
  counts: '([^()]*)',
  from: '(\\d\\d:\\d\\d)',
  to: '(\\d\\d:\\d\\d)',
  by: '((?:\\d{4}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d)',
}

const FORMS: readonly Form[] = Object.entries(REASON_FORMS).map(([code, text]) => ({
  code: code as ReasonCode,
  pattern: new RegExp(patternOf(text), 'y'),
  slots: [...text.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot as string),
}))

function patternOf(text: string): string {
  return text
    .replaceAll(/[.*+?^$()|\\]/g, '\\$&')
    .replace('[s]', 's?')
    .replaceAll(/\{(\w+)\}/g, (_all, slot: string) => SLOT_PATTERNS[slot] ?? (slot.endsWith('Ms') ? DURATION : NUMBER))
}

/**
 * What a reason consists of, in its order, to be said in another language; empty where any of it is not of a known form: then its
 * English text is all there is.
 */
export function clausesOf(reason: string | null): Clause[] {
  const clauses: Clause[] = []
  let at = 0
  while (reason !== null && at < reason.length) {
    const found = clauseAt(reason, at)
    if (found === null) return []
    clauses.push(found.clause)
    at = afterConnector(reason, found.end)
  }
  return clauses
}

function clauseAt(text: string, at: number): { readonly clause: Clause; readonly end: number } | null {
  for (const { code, pattern, slots } of FORMS) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null || !isEnd(text, pattern.lastIndex)) continue
    const params = Object.fromEntries(slots.map((slot, i) => [slot, paramOf(slot, match[i + 1] as string)]))
    return { clause: { code, params }, end: pattern.lastIndex }
  }
  return null
}

/** No form may end within a word of another. */
function isEnd(text: string, at: number): boolean {
  return at === text.length || afterConnector(text, at) > at
}

function afterConnector(text: string, at: number): number {
  CONNECTOR.lastIndex = at
  return CONNECTOR.test(text) ? CONNECTOR.lastIndex : at
}

function paramOf(slot: string, text: string): string | number {
  if (slot.endsWith('Ms')) {
    const [amount, unit] = text.split(' ')
    return unit === undefined ? text : Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
  }
  return SLOT_PATTERNS[slot] === undefined ? Number(text.replaceAll(',', '')) : text
}
