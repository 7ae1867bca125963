const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What people call round, in milliseconds. */
const ROUND_MS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND_MS),
  ...[1, 2, 5, 10, 15, 20, 30].map((n) => n * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR_MS),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((n) => n * DAY_MS),
]

/** The first round step that needs at most `most` ticks. */
function roundStep(span: number, most: number): number {
  const rough = span / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10
  return step * power
}

function roundDurationStep(spanMs: number, most: number): number {
  const step = ROUND_MS.find((ms) => spanMs / ms <= most)
  if (step !== undefined && spanMs >= SECOND_MS) return step
  return roundStep(spanMs, most)
}

export type ValueKind = 'number' | 'duration'

/** Round values from `low` to at least `high`; the last one is the end of the axis. */
export function valueTicks(low: number, high: number, kind: ValueKind, most = 4): number[] {
  const span = high > low ? high - low : 1
  const step = kind === 'duration' ? roundDurationStep(span, most) : roundStep(span, most)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Round moments within, by the clock of the reader: `offsetMs` is what it is ahead of UTC. */
export function timeTicks(from: number, to: number, most: number, offsetMs: number): number[] {
  const step = roundDurationStep(Math.max(to - from, SECOND_MS), most)
  const ticks: number[] = []
  for (let at = Math.ceil((from + offsetMs) / step) * step - offsetMs; at <= to; at += step) ticks.push(at)
  return ticks
}

/** 1, 2, 5, 10, 20 …: those within, and every power of ten alone where these are too many. */
export function logTicks(low: number, high: number, most = 6): number[] {
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    for (const factor of [1, 2, 5]) {
      const value = Number((factor * 10 ** power).toPrecision(6))
      if (value >= low && value <= high) ticks.push(value)
    }
  }
  return ticks.length <= most ? ticks : ticks.filter((value) => Math.log10(value) % 1 === 0)
}
