/**
 * What a kind of signal for one source has proved worth: something new on a page that shows its items,
 * too, or a hub's ping. Learnt from refreshes that followed signals and from those that did not.
 */
export interface SignalRecord {
  readonly v: 1
  /** Signals that a refresh has followed, and those of them after which something new was there. */
  readonly signals: number
  readonly confirmed: number
  /** Items met by all refreshes, and by those that followed a signal. */
  readonly items: number
  readonly announced: number
}

export const NO_SIGNALS: SignalRecord = { v: 1, signals: 0, confirmed: 0, items: 0, announced: 0 }

/** A refresh: whether a signal had come since the one before, and what it met. Older ones fade over some hundred. */
export function observeSignal(record: SignalRecord, signalled: boolean, newItems: number): SignalRecord {
  const decay = newItems > 0 || signalled ? FADE : 1
  return {
    v: 1,
    signals: record.signals * decay + (signalled ? 1 : 0),
    confirmed: record.confirmed * decay + (signalled && newItems > 0 ? 1 : 0),
    items: record.items * decay + newItems,
    announced: record.announced * decay + (signalled ? newItems : 0),
  }
}

const FADE = 0.995
// A new kind of signal must earn trust: as if eight had been false.
const DOUBT = 8

/** Share of the signals that were right, rλ/(rλ + ν) of refresh-science §3; 0 until some did. */
export function precision({ signals, confirmed }: SignalRecord): number {
  return confirmed / (signals + DOUBT)
}

/** Items to be expected of one signal: how often it is true, times what a true one has brought. */
export function expectedOfSignal(record: SignalRecord): number {
  if (!(record.confirmed > 0)) return 0
  return (precision(record) * record.announced) / record.confirmed
}

/**
 * How long to wait after a push that is true with probability p. The next one, true or not, comes after p/λ hours; waiting d
 * hours for more costs (μ + pd + λd²/2)/(d + p/λ), which is least at d = (√(2λμ − p²) − p)/λ, or at once where λμ is below p².
 * With p = 0 that is the interval of polling alone: what a hub invents never costs more. `worth`: the price of the refresh
 * in item-hours.
 */
export function waitAfterPushHours(ratePerHour: number, worth: number, isTrueWith: number): number {
  const items = ratePerHour * worth
  return items > isTrueWith ** 2 ? (Math.sqrt(2 * items - isTrueWith ** 2) - isTrueWith) / ratePerHour : 0
}

/**
 * rλ/(rλ + ν) at an hour (refresh-science §3): false pushes come at any time, and at night they are most of all. `precision`:
 * over all hours; the rates are those of this hour and of a usual one.
 */
export function precisionAt(precision: number, ratePerHour: number, usualPerHour: number): number {
  const isTrue = precision * ratePerHour
  const isFalse = (1 - precision) * usualPerHour
  return isTrue + isFalse > 0 ? isTrue / (isTrue + isFalse) : precision
}
