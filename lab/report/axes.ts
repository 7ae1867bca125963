import { entryAt } from '../../src/model/entry-at.ts'
import { linearScale, logScale, type Scale, shortNumber } from '../analysis/scale.ts'
import type { Series } from './types.ts'

export interface Axis extends Scale {
  readonly kind: 'linear' | 'log'
  readonly labels: readonly { readonly at: number; readonly text: string }[]
}

/** Beyond three decades a linear axis shows only its largest values. */
const LOG_FROM = 1_000
const MOST_LABELS = 7

export function axisFor(series: readonly Series[], direction: 'x' | 'y', start: number, end: number): Axis {
  const values = series.flatMap((each) => each[direction]).filter(Number.isFinite)
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
  const most = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY)
  if (values.length === 0) return withLabels(linearScale(0, 1, start, end), 'linear')
  if (isLog(series, direction, least, most)) {
    const positive = values.filter((value) => value > 0)
    const low = positive.length > 0 ? positive.reduce((a, b) => Math.min(a, b)) : 1
    const measured = [...new Set(positive)].sort((a, b) => a - b)
    if (direction === 'x' && measured.length > 1 && measured.length <= MOST_LABELS)
      return positionAxis(measured, start, end)
    return withLabels(logScale(low, Math.max(low, most), start, end), 'log')
  }
  return withLabels(linearScale(...bounds(least, most, direction), start, end), 'linear')
}

/** A few places at which everything was measured say more than powers of ten. */
function positionAxis(positions: readonly number[], start: number, end: number): Axis {
  const first = Math.log(entryAt(positions, 0))
  const perLog = (end - start) / (Math.log(positions.at(-1)!) - first)
  const position = (value: number) => start + (Math.log(value) - first) * perLog
  return withLabels({ position, ticks: positions }, 'log')
}

function isLog(series: readonly Series[], direction: 'x' | 'y', least: number, most: number): boolean {
  const logAxes = series.find(({ log }) => log !== undefined)?.log
  if (logAxes !== undefined) return logAxes.includes(direction)
  return least > 0 && most / least > LOG_FROM
}

/** An axis of values starts at 0 unless they lie close together far from it; the other one spans what there is. */
function bounds(least: number, most: number, direction: 'x' | 'y'): [number, number] {
  const span = most - least
  if (span === 0) return most === 0 ? [0, 1] : most > 0 ? [0, 1.2 * most] : [1.2 * least, 0]
  if (direction === 'x') return [least, most]
  if (least >= 0 && least < 4 * span) return [0, most + 0.04 * span]
  return [least - 0.06 * span, most + 0.06 * span]
}

function withLabels(scale: Scale, kind: Axis['kind']): Axis {
  const every = Math.ceil(scale.ticks.length / MOST_LABELS)
  const ticks = scale.ticks.filter((_, index) => index % every === 0)
  return { ...scale, kind, labels: ticks.map((tick) => ({ at: scale.position(tick), text: tickText(tick, kind) })) }
}

function tickText(tick: number, kind: Axis['kind']): string {
  const power = Math.log10(tick)
  if (kind === 'log' && Math.abs(power) >= 3 && Number.isInteger(Math.round(power * 1e6) / 1e6))
    return `10${superscript(Math.round(power))}`
  return shortNumber(tick).replace('-', '−')
}

function superscript(power: number): string {
  return [...String(power)].map((sign) => (sign === '-' ? '⁻' : entryAt('⁰¹²³⁴⁵⁶⁷⁸⁹', Number(sign)))).join('')
}
