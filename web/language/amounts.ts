import { currentLanguage, type Language } from './locale.ts'

type Digits = 0 | 1 | 2

const numbers = new Map<string, Intl.NumberFormat>()
const plurals = new Map<Language, Intl.PluralRules>()

/** At most so many digits behind the point; formats are dear to make, so each is made once. */
export function decimal(value: number, digits: Digits): string {
  const language = currentLanguage()
  const key = `${language} ${digits}`
  const format = numbers.get(key) ?? new Intl.NumberFormat(language, { maximumFractionDigits: digits })
  numbers.set(key, format)
  return format.format(value)
}

export function count(value: number | null): string {
  return value === null ? '–' : decimal(value, 0)
}

/** Three digits that matter. */
export function figure(value: number | null): string {
  if (value === null) return '–'
  return decimal(value, Math.abs(value) >= 100 ? 0 : value >= 10 ? 1 : 2)
}

/** Two digits that matter: enough for what is learnt or averaged. */
export function rounded(value: number): string {
  return decimal(value, value >= 10 ? 0 : value >= 0.095 ? 1 : 2)
}

/** Near 100 % the nines are what matters. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  const digits = share > 0.999 && share < 1 ? 2 : share > 0.99 && share < 1 ? 1 : share < 0.1 ? 1 : 0
  // Rounding must never turn a loss into none.
  return `${decimal(Math.min(Number((share * 100).toFixed(digits)), share < 1 ? 99.99 : 100), 2)}\u00a0%`
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size}\u00a0B`
  if (size < 1_000_000) return `${decimal(size / 1_000, 1)}\u00a0kB`
  return size < 1_000_000_000
    ? `${decimal(size / 1_000_000, 1)}\u00a0MB`
    : `${decimal(size / 1_000_000_000, 2)}\u00a0GB`
}

/** The amount with the form of the noun that goes with it. */
export function plural(amount: number, one: string, more: string): string {
  return `${count(amount)} ${form(amount, one, more)}`
}

/** Likewise, with two digits that matter: 1 item, 0.3 items. */
export function pluralRounded(amount: number, one: string, more: string): string {
  return `${rounded(amount)} ${form(Number(amount.toPrecision(2)), one, more)}`
}

/** The form of a word that goes with an amount, without the amount. English and German have two. */
export function form(amount: number, one: string, more: string): string {
  const language = currentLanguage()
  const rules = plurals.get(language) ?? new Intl.PluralRules(language)
  plurals.set(language, rules)
  return rules.select(amount) === 'one' ? one : more
}
