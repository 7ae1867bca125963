import type { DurationMs } from '../../model/index.ts'
import type { LogInAttempt, LogInLimits, RequestCount, RequestWindow } from '../log-in-limits.ts'
import {
  accountKey,
  type Count,
  clearTries,
  countInWindow,
  countTry,
  MOST_TRIES,
  placeKey,
  type TryCounts,
  takeTryBack,
  waitBeforeTry,
} from '../log-in-rules.ts'

/** Of one process. */
export class MemoryLogInLimits implements LogInLimits {
  readonly #now: () => DurationMs
  readonly #places = new Map<string, Count>()
  readonly #accounts = new Map<string, Count>()
  readonly #requests = new Map<string, Count>()

  /** `now`: of a monotonic clock. */
  constructor(now: () => DurationMs) {
    this.#now = now
  }

  async admit(attempt: LogInAttempt): Promise<DurationMs> {
    const now = this.#now()
    const counts = this.#countsOf(attempt)
    const waitMs = waitBeforeTry(counts, attempt.isKnown, now)
    if (waitMs === 0) this.#put(attempt, countTry(counts, attempt.isKnown, now))
    return waitMs
  }

  async succeeded(attempt: LogInAttempt): Promise<void> {
    this.#put(attempt, clearTries(this.#countsOf(attempt), attempt.isKnown, this.#now()))
  }

  async withdraw(attempt: LogInAttempt): Promise<void> {
    this.#put(attempt, takeTryBack(this.#countsOf(attempt), attempt.isKnown, this.#now()))
  }

  async countRequest({ key, windowMs }: RequestWindow): Promise<RequestCount> {
    const now = this.#now()
    const counted = countInWindow(this.#requests.get(key) ?? null, windowMs, now)
    put(this.#requests, key, counted)
    return { count: counted.amount, endsInMs: counted.at + windowMs - now }
  }

  /** How much is remembered. */
  get entries(): number {
    return this.#places.size + this.#accounts.size + this.#requests.size
  }

  #countsOf(attempt: LogInAttempt): TryCounts {
    return {
      place: this.#places.get(placeKey(attempt)) ?? null,
      account: this.#accounts.get(accountKey(attempt)) ?? null,
    }
  }

  #put(attempt: LogInAttempt, { place, account }: TryCounts): void {
    put(this.#places, placeKey(attempt), place)
    if (!attempt.isKnown) put(this.#accounts, accountKey(attempt), account)
  }
}

/** At the end of the map's order, which is that of the last use. */
function put(map: Map<string, Count>, key: string, value: Count | null): void {
  map.delete(key)
  if (value === null) return
  map.set(key, value)
  if (map.size <= MOST_TRIES) return
  // Many at once: looking for the oldest of a map walks past what was deleted before.
  let goes = MOST_TRIES / 20
  for (const oldest of map.keys()) {
    if (goes-- <= 0) return
    map.delete(oldest)
  }
}
