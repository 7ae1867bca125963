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
 * How long to wait after a push. Refreshing at once after each costs λμ an hour; waiting d hours for more costs
 * (μ + d + λd²/2)/(d + 1/λ), which is least at d = (√(2λμ − 1) − 1)/λ, or at once where the price is below what comes until
 * the next item. `worth`: the price of the refresh in item-hours, over the share of pushes that are true.
 */
export function waitAfterPushHours(ratePerHour: number, worth: number): number {
  const items = ratePerHour * worth
  return items > 1 ? (Math.sqrt(2 * items - 1) - 1) / ratePerHour : 0
}
