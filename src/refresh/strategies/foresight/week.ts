import { DAY_MS, HOUR_MS, type InstantMs } from '../../../model/index.ts'

// The epoch was a Thursday; weeks are counted from Monday, UTC.
const EPOCH_WEEKDAY = 3

export function dayOfWeek(at: InstantMs): number {
  return positiveModulo(Math.floor(at / DAY_MS) + EPOCH_WEEKDAY, 7)
}

/** Hours since the Monday before the epoch; its whole part modulo 168 is the hour of the week. */
export function weekHours(at: InstantMs): number {
  return at / HOUR_MS + EPOCH_WEEKDAY * 24
}

export function hourOfDay(at: InstantMs): number {
  return positiveModulo(Math.floor(at / HOUR_MS), 24)
}

/** Also before the epoch, as clocks may be wrong. */
export function positiveModulo(value: number, modulus: number): number {
  // Not by %, which is slow on doubles; whole numbers give the same.
  return value - modulus * Math.floor(value / modulus)
}
