import { normalizeSourceUrl } from '../source-url.ts'
import { readPasted } from './pasted.ts'
import { fillTemplate, matchPattern, type Pattern, parsePattern, type Values } from './pattern.ts'
import type { AddressRule, Ask, AskTemplate, CompiledRule } from './rule.ts'
import { SITE_RULES } from './rules/index.ts'

/** An address worth a try, and the rule that says so. */
export interface Candidate {
  readonly url: string
  readonly rule: string
}

/** What was meant by what somebody pasted: where to look for the feed, in this order, and last at the page itself. */
export interface Meaning {
  /** The page. */
  readonly url: string
  /** Whether its scheme was written; else https is a guess. */
  readonly hasScheme: boolean
  /** The rule that fits; null: none. */
  readonly rule: string | null
  /** One request that says where the feed is; null: none is needed. */
  readonly ask: Ask | null
  readonly candidates: readonly Candidate[]
  /** The candidates are feeds of different things. */
  readonly isChoice: boolean
  /** Tried only where the page names no feed. */
  readonly guesses: readonly Candidate[]
}

/** Throws FETCH_BAD_URL for what is no address. `own` are tried before ours. */
export function meaningOf(pasted: string, own: readonly CompiledRule[] = []): Meaning {
  const read = readPasted(pasted)
  if (read.kind === 'address') return { ...meaningOfAddress(read.url, own), hasScheme: read.hasScheme }
  const { user, host } = read
  const page = normalizeSourceUrl(`https://${host}/@${user}`)
  const resource = encodeURIComponent(`acct:${user}@${host}`)
  const url = `${new URL(page).origin}/.well-known/webfinger?resource=${resource}`
  return { ...meaningOfAddress(page, own), hasScheme: true, rule: 'Fediverse account', ask: { kind: 'webfinger', url } }
}

/** Of an address that is one already. */
export function meaningOfAddress(address: string, own: readonly CompiledRule[] = []): Meaning {
  const url = new URL(address)
  const nothing = { url: address, hasScheme: true, rule: null, ask: null, candidates: [], isChoice: false, guesses: [] }
  const ours = firstMatch(own, url) ?? (isFeedForm(url) ? null : firstMatch(sureRules(), url))
  if (ours !== null) {
    const { rule, values } = ours
    const candidates = candidatesOf(rule, values, url)
    const ask = rule.ask === undefined ? null : askFor(rule.ask, values, url)
    return { ...nothing, rule: rule.name, ask, candidates, isChoice: rule.isChoice === true }
  }
  if (isFeedForm(url)) return nothing
  const guesses = guessRules().flatMap((rule) => {
    const values = valuesFor(rule, url)
    return values === null ? [] : candidatesOf(rule, values, url)
  })
  return { ...nothing, guesses }
}

export function compileRule(rule: AddressRule): CompiledRule {
  return { ...rule, patterns: rule.match.map(parsePattern) }
}

function firstMatch(rules: readonly CompiledRule[], url: URL): { rule: CompiledRule; values: Values } | null {
  for (const rule of rules) {
    const values = valuesFor(rule, url)
    if (values !== null) return { rule, values }
  }
  return null
}

function valuesFor({ patterns, except = [] }: CompiledRule, url: URL): Values | null {
  for (const pattern of patterns) {
    const values = matchPattern(pattern, url)
    if (values !== null && ![...values.values()].some((value) => except.some((word) => word === value))) return values
  }
  return null
}

function candidatesOf({ name, give = [] }: CompiledRule, values: Values, url: URL): readonly Candidate[] {
  return give.flatMap((template) => {
    const address = fillTemplate(template, values, url.origin)
    return address === null ? [] : [{ url: address, rule: name }]
  })
}

function askFor(ask: AskTemplate, values: Values, page: URL): Ask | null {
  const url = ask.url === undefined ? page.href : fillTemplate(ask.url, values, page.origin)
  return url === null ? null : { ...ask, url }
}

let compiled: { readonly sure: readonly CompiledRule[]; readonly guesses: readonly CompiledRule[] } | null = null

/** Read when the first address is: a node that nobody adds sources to has no need of them. */
function rules() {
  if (compiled === null) {
    const all = SITE_RULES.map(compileRule)
    compiled = { sure: all.filter((rule) => !rule.isGuess), guesses: all.filter((rule) => rule.isGuess) }
  }
  return compiled
}
const sureRules = () => rules().sure
const guessRules = () => rules().guesses

let forms: readonly Pattern[] | null = null

/** Whether a rule could have given this address: then it is a feed, and means itself. */
function isFeedForm(url: URL): boolean {
  if (/\.(?:rss|atom|rdf|xml)$/i.test(url.pathname)) return true
  forms ??= SITE_RULES.flatMap(({ give = [], ask }) => [...give, ...(ask?.kind === 'mark' ? ask.give : [])]).flatMap(
    formsOf,
  )
  return forms.some((form) => matchPattern(form, url) !== null)
}

/** Several steps in one place; more than these nobody has seen. */
const STEPS = ['{a}', '{a}/{b}', '{a}/{b}/{c}', '{a}/{b}/{c}/{d}']

/** A template, read as the forms of what it gives. */
function formsOf(template: string): readonly Pattern[] {
  const [path = '', ...query] = template
    .replace('{origin}', '{site}')
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .split('?')
  const rest = query.map((part) => `?${part.replaceAll('...}', '}')}`).join('')
  const several = /\{[a-z]+\.\.\.\}/
  const paths = several.test(path) ? STEPS.map((steps) => path.replace(several, steps)) : [path]
  return paths.map((one) => parsePattern(one + rest))
}
