import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/index.ts'

/**
 * How often a password may be tried. Three rules, each in memory and each bounded:
 *
 * 1. A place (a client's address, see address-group.ts, or a device that has logged in to this account before) has five
 *    tries at an account; then it waits 1 s before the next, 2 s, 4 s … up to 15 minutes. A try that succeeds clears it, and
 *    so does an hour without one.
 * 2. All strange places together have twenty tries at an account, and then one every ten seconds. So a thousand addresses
 *    guess no faster than one does.
 * 3. Rule 2 does not hold for a device that has logged in to the account before, nor for a user at the machine itself;
 *    these wait 30 s at most. So nobody can lock a person out of their own account by failing on purpose.
 *
 * Times are those of a monotonic clock. A refused try costs nothing and counts for nothing, and a name that is not there is limited like one that is.
 */
export interface LogInAttempt {
  /** Name of the account as given, whatever its capitals. */
  readonly account: string
  readonly address: string
  readonly isKnown: boolean
}

const FREE_TRIES = 5
const LONGEST_STRANGE_MS = 15 * MINUTE_MS
const LONGEST_KNOWN_MS = 30 * SECOND_MS
const FORGET_MS = HOUR_MS
const STRANGE_TRIES = 20
const STRANGE_EVERY_MS = 10 * SECOND_MS
/** A full table forgets what was tried longest ago; that many tries cost an attacker the better part of an hour of hashes. */
const MOST_ENTRIES = 20_000

interface Tries {
  readonly count: number
  readonly lastAt: DurationMs
}

interface Bucket {
  readonly tries: number
  readonly at: DurationMs
}

export class LogInLimits {
  readonly #clients = new Map<string, Tries>()
  readonly #accounts = new Map<string, Bucket>()

  /** 0: the try is counted and may go on; else how long to wait, and nothing is counted. */
  admit(attempt: LogInAttempt, now: DurationMs): DurationMs {
    const key = clientKey(attempt)
    const account = fold(attempt.account)
    const tries = this.#triesOf(key, now)
    const bucket = this.#bucketOf(account, now)
    const waitMs = Math.max(waitOfClient(tries, attempt.isKnown, now), attempt.isKnown ? 0 : waitOfAccount(bucket))
    if (waitMs > 0) return waitMs
    // Counted before the outcome is known: tries that run side by side must see each other.
    put(this.#clients, key, { count: tries.count + 1, lastAt: now })
    if (!attempt.isKnown) put(this.#accounts, account, { tries: bucket.tries - 1, at: now })
    return 0
  }

  /** The password was right: the place starts over. */
  succeeded(attempt: LogInAttempt, now: DurationMs): void {
    this.#clients.delete(clientKey(attempt))
    this.#giveBack(attempt, now)
  }

  /** The password was not checked. */
  withdraw(attempt: LogInAttempt, now: DurationMs): void {
    const key = clientKey(attempt)
    const tries = this.#clients.get(key)
    if (tries !== undefined) this.#clients.set(key, { ...tries, count: Math.max(0, tries.count - 1) })
    this.#giveBack(attempt, now)
  }

  #giveBack(attempt: LogInAttempt, now: DurationMs): void {
    if (attempt.isKnown) return
    const account = fold(attempt.account)
    const bucket = this.#bucketOf(account, now)
    put(this.#accounts, account, { tries: Math.min(STRANGE_TRIES, bucket.tries + 1), at: now })
  }

  get entries(): number {
    return this.#clients.size + this.#accounts.size
  }

  #triesOf(key: string, now: DurationMs): Tries {
    const tries = this.#clients.get(key)
    return tries === undefined || now - tries.lastAt > FORGET_MS ? { count: 0, lastAt: now } : tries
  }

  #bucketOf(key: string, now: DurationMs): Bucket {
    const bucket = this.#accounts.get(key)
    if (bucket === undefined) return { tries: STRANGE_TRIES, at: now }
    const filled = bucket.tries + (now - bucket.at) / STRANGE_EVERY_MS
    return { tries: Math.min(STRANGE_TRIES, filled), at: now }
  }
}

function waitOfClient({ count, lastAt }: Tries, isKnown: boolean, now: DurationMs): DurationMs {
  if (count < FREE_TRIES) return 0
  const longest = isKnown ? LONGEST_KNOWN_MS : LONGEST_STRANGE_MS
  const pause = Math.min(longest, SECOND_MS * 2 ** Math.min(count - FREE_TRIES, 20))
  return Math.max(0, lastAt + pause - now)
}

function waitOfAccount({ tries }: Bucket): DurationMs {
  return tries >= 1 ? 0 : (1 - tries) * STRANGE_EVERY_MS
}

function clientKey({ account, address }: LogInAttempt): string {
  return `${fold(account)}\n${address}`
}

function fold(name: string): string {
  return name.trim().toLowerCase()
}

/** At the end of the map's order, which is that of the last use. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= MOST_ENTRIES) return
  // Many at once: looking for the oldest of a map walks past what was deleted before.
  let goes = MOST_ENTRIES / 20
  for (const oldest of map.keys()) {
    if (goes-- <= 0) return
    map.delete(oldest)
  }
}
