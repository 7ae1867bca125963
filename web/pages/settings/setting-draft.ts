import type { OperationAnswer } from '../../client/call.ts'

export type Setting = OperationAnswer<'listSettings'>['settings'][number]
export interface ControlProps {
  readonly setting: Setting
  readonly draft: string
  /** Names of strategies and estimators that can run. */
  readonly names: { readonly strategy: readonly string[]; readonly estimator: readonly string[] }
  readonly mistake: string | null
  readonly onChange: (draft: string) => void
}
export type SettingValue = string | number | boolean | null | string[]

const DURATION_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const
const BYTE_UNITS = [
  ['GiB', 1024 ** 3],
  ['GB', 1e9],
  ['MiB', 1024 ** 2],
  ['MB', 1e6],
  ['kB', 1e3],
  ['B', 1],
] as const
const PER = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** What a field holds while it is edited: as it may be written back; empty: the default. */
export function draftOf({ form, value, stored }: Pick<Setting, 'form' | 'value' | 'stored'>): string {
  const shown = stored === undefined ? value : stored
  if (shown === null || shown === undefined) return ''
  if (form.kind === 'duration' && typeof shown === 'number') return inUnits(shown, DURATION_UNITS)
  if (form.kind === 'bytes' && typeof shown === 'number') return inUnits(shown, BYTE_UNITS)
  if (form.kind === 'share' && typeof shown === 'number') return String(Number((shown * 100).toFixed(4)))
  if (form.kind === 'budget') return budgetDraft(shown)
  if (form.kind === 'quality') return qualityDraft(shown)
  if (Array.isArray(shown)) return shown.join(', ')
  if (typeof shown === 'object') return 'ms' in shown ? inUnits(Number(shown.ms), DURATION_UNITS) : ''
  return String(shown)
}

/** The value that is sent to the node. */
export function settingValue({ form }: Pick<Setting, 'form'>, draft: string): SettingValue {
  const text = draft.trim()
  if (text === '') return null
  if (form.kind === 'boolean') return text === 'true'
  if (form.kind === 'words') return text.split(/\s*,\s*/).filter((word) => word !== '')
  if (form.kind === 'share' && isNumber(text)) return Number(text) / 100
  return form.kind === 'number' && isNumber(text) ? Number(text) : text
}

/** `5min` as amount and unit; null: it ends with none of the units. What is no number is left in the amount, to be seen. */
export function partsOf(
  draft: string,
  units: readonly string[],
): { readonly amount: string; readonly unit: string | null } {
  const fitting = units.filter((unit) => draft.endsWith(unit)).sort((a, b) => b.length - a.length)
  const unit = fitting[0] ?? null
  return { amount: unit === null ? draft : draft.slice(0, -unit.length).trim(), unit }
}

export const UNITS_OF = {
  duration: DURATION_UNITS.map(([unit]) => unit),
  bytes: BYTE_UNITS.map(([unit]) => unit),
} as const

const isNumber = (text: string): boolean => Number.isFinite(Number(text))

function inUnits(amount: number, units: readonly (readonly [string, number])[]): string {
  const [unit, size] = units.find(([, size]) => amount >= size && amount % size === 0) ?? units.at(-1) ?? ['', 1]
  return `${amount / size}${unit}`
}

function budgetDraft(stored: unknown): string {
  if (typeof stored === 'string') return stored
  const { requests, perMs } = stored as { requests: number; perMs: number }
  const [unit] = PER.find(([, ms]) => ms === perMs) ?? []
  if (unit !== undefined) return `${requests}/${unit}`
  return `${Number(((requests * 60_000) / perMs).toPrecision(6))}/min`
}

function qualityDraft(stored: unknown): string {
  if (typeof stored === 'string') return stored
  const { meanDelayMs, completeness } = stored as { meanDelayMs?: number; completeness?: number }
  return [
    ...(meanDelayMs === undefined ? [] : [`delay<${inUnits(meanDelayMs, DURATION_UNITS)}`]),
    ...(completeness === undefined ? [] : [`completeness>${completeness}`]),
  ].join(',')
}

/** `delay<15min,completeness>0.999` in its two parts. */
export function wishParts(draft: string): { readonly delay: string; readonly share: string } {
  const delay = /delay\s*<=?\s*([^,]+)/.exec(draft)?.[1]?.trim() ?? ''
  const share = /completeness\s*>=?\s*([\d.]+)/.exec(draft)?.[1] ?? ''
  return { delay, share: share === '' ? '' : String(Number((Number(share) * 100).toFixed(4))) }
}

export function wishDraft({ delay, share }: ReturnType<typeof wishParts>): string {
  return [
    ...(delay.trim() === '' ? [] : [`delay<${delay.trim()}`]),
    ...(share.trim() === '' ? [] : [`completeness>${Number((Number(share) / 100).toFixed(6))}`]),
  ].join(',')
}
