import { describe, expect, it } from 'vitest'
import { REASON_FORMS } from '../../src/api/operations/reason-forms.ts'
import { SETTING_FORMS } from '../../src/app/services/setting-forms.ts'
import { ALERT_KINDS } from '../../src/model/alert-kinds.ts'
import { ALARMS } from '../../src/runtime/alarms.ts'
import { ERRORS } from '../../src/runtime/errors.ts'
import { deCore } from './de/core.ts'
import { deNode } from './de/node.ts'
import { dePages } from './de/pages.ts'
import { enCore } from './en/core.ts'
import { enPages } from './en/pages.ts'
import { languageFor } from './locale.ts'

function unitsOf(forms: readonly { readonly unit: string | null }[]): object {
  return Object.fromEntries(forms.flatMap(({ unit }) => (unit === null ? [] : [[unit, true]])))
}

/** A message as a test sees it: its text, or which parameters it uses. */
type Seen = string | readonly string[]

function messagesOf(words: object, path: string, into: Map<string, Seen>): Map<string, Seen> {
  for (const [key, value] of Object.entries(words)) {
    const at = path === '' ? key : `${path}.${key}`
    if (at === 'node') continue
    if (typeof value === 'function') into.set(at, parametersOf(value))
    else if (typeof value === 'string') into.set(at, value)
    else messagesOf(value, at, into)
  }
  return into
}

function parametersOf(message: (p: object) => unknown): readonly string[] {
  const used = new Set<string>()
  const p = new Proxy({}, { get: (_target, name) => used.add(String(name)) && 3 })
  const text = message(p)
  expect(text).not.toBe('')
  return [...used].sort()
}

const english = messagesOf({ ...enCore, ...enPages }, '', new Map())
const german = messagesOf({ ...deCore, ...dePages }, '', new Map())

describe('the catalogue of German', () => {
  it('has every message that English has, and no other', () => {
    expect(english.size).toBeGreaterThan(700)
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it('says something in each, with the parameters that English uses', () => {
    const wrong = [...english].flatMap(([key, message]) => {
      const other = german.get(key)
      if (typeof message === 'string') return typeof other === 'string' && other.trim() !== '' ? [] : [key]
      return JSON.stringify(other) === JSON.stringify(message) ? [] : [`${key}: ${message} / ${other}`]
    })
    expect(wrong).toEqual([])
  })

  it.each([
    ['errors', ERRORS, deNode.errors],
    ['alarms', ALARMS, deNode.alarms],
    ['alerts', Object.fromEntries(ALERT_KINDS.map((kind) => [kind, true])), deNode.alerts],
    ['reasons', REASON_FORMS, deNode.reasons],
    ['settings', SETTING_FORMS, deNode.settings],
    ['units', unitsOf(Object.values(SETTING_FORMS)), deNode.units],
  ])('has all codes of %s that the node may send, and no other', (_name, codes, words) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(codes).sort())
  })

  it('says what to do about each error and alarm', () => {
    const empty = Object.entries({ ...deNode.errors, ...deNode.alarms }).filter(([, words]) => words.includes(''))
    expect(empty).toEqual([])
  })

  it('says everything that a reason has to say', () => {
    const wrong = Object.entries(REASON_FORMS).filter(([code, form]) => {
      const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
      const params = Object.fromEntries(names.map((name) => [name, `<${name}>`]))
      const text = deNode.reasons[code as keyof typeof REASON_FORMS]?.(params) ?? ''
      return text === '' || names.some((name) => !text.includes(`<${name}>`))
    })
    expect(wrong).toEqual([])
  })
})

describe('the language of a browser', () => {
  it.each([
    [['de'], 'de'],
    [['de-AT', 'en'], 'de'],
    [['fr', 'de'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('%j gives %s', (wishes, language) => expect(languageFor(wishes)).toBe(language))
})
