import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { REASON_FORMS } from '../../src/api/operations/reason-forms.ts'
import { GERMAN_SUMMARIES } from '../../src/api/operations-de.ts'
import { SETTING_FORMS } from '../../src/app/services/setting-forms.ts'
import { ALERT_KINDS } from '../../src/model/alert-kinds.ts'
import { QUERY_ERRORS } from '../../src/query/index.ts'
import { PATTERN_PROBLEMS } from '../../src/query/language/patterns.ts'
import { ALARMS } from '../../src/runtime/alarms.ts'
import { ERRORS } from '../../src/runtime/errors.ts'
import { messagesOfRules, phraseForms } from '../../test/support/phrase-forms.ts'
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
    if (at === 'node' || at === 'phrases') continue
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
    ['operations', OPERATIONS, GERMAN_SUMMARIES],
    ['units', unitsOf(Object.values(SETTING_FORMS)), deNode.units],
  ])('has all codes of %s that the node may send, and no other', (_name, codes, words) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(codes).sort())
  })

  it('has all forms of phrases that the node may say, and no other', () => {
    const ofRules = [...messagesOfRules()]
    const hints = Object.values(QUERY_ERRORS).map(({ hint }) => hint)
    const patterns = PATTERN_PROBLEMS.map((problem) => `${problem}: {1}`)
    const forms = new Set([...phraseForms().keys(), ...hints, ...patterns, ...ofRules])
    expect(Object.keys(dePages.phrases).sort()).toEqual([...forms].sort())
  })

  it('puts the same parameters into each phrase', () => {
    const slots = (text: string) =>
      [...text.matchAll(/\{\d+\}/g)]
        .map(([slot]) => slot)
        .sort()
        .join()
    const wrong = Object.entries(dePages.phrases).filter(([form, text]) => text === '' || slots(form) !== slots(text))
    expect(wrong).toEqual([])
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
