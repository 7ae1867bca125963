import { type DurationMs, type InstantMs, SECOND_MS } from '../../model/index.ts'
import { HostTurns } from './host-turns.ts'

export type Admission =
  | { readonly go: true }
  | {
      readonly go: false
      /** Ask again then, not before: that is your turn, and nobody else was given the same one. */
      readonly retryAt: InstantMs
      readonly reason: 'spacing' | 'concurrency' | 'resting'
    }

/**
 * How many requests one host gets, whatever number of sources it has. Every `go` must be followed by one `leave`.
 *
 * A refused source gets a turn, each a spacing later than the one before, and asks again when it comes. So a thousand
 * sources of one host ask once each and not all the time, and nobody passes them: a newcomer is admitted before a
 * promised turn only where that leaves the turn its spacing. Askers have no names: the first who asks when a turn is due is
 * taken for the one it was promised to.
 */
export interface HostLimits {
  /** Whether `admit` would say go; promises and changes nothing. */
  mayStart(host: string, now: InstantMs, kind?: 'refresh' | 'hop'): boolean
  /**
   * `hop`: a request that follows a redirect. It goes before those that wait, because it holds a worker while it waits
   * itself; its turns are the earliest possible.
   */
  admit(host: string, now: InstantMs, kind?: 'refresh' | 'hop'): Admission
  leave(host: string, now: InstantMs): void
  /** Nothing goes to this host before then (Retry-After); a later moment wins. */
  rest(host: string, until: InstantMs): void
  /** When a newcomer could start; nothing is promised. */
  nextFree(host: string, now: InstantMs): InstantMs
  /** Hosts that are remembered: those in use, waited for or resting. */
  readonly size: number
}

export interface HostLimitOptions {
  /** Between the starts of two requests. */
  readonly spacingMs?: DurationMs
  /** Two, so that one slow answer does not stop the other sources of its host. */
  readonly concurrency?: number
  /** What was learnt of a host; null: the usual pace. */
  readonly paceOf?: (host: string) => Pace | null
}

export interface Pace {
  /** Between the starts of two requests. */
  readonly spacingMs: DurationMs
  readonly concurrency: number
}

interface Host {
  pace: Pace
  inFlight: number
  /** One spacing after the last start. */
  nextStart: InstantMs
  restUntil: InstantMs
  lastHopTurn: InstantMs
  readonly turns: HostTurns
}

/** With no spacing, a source that has to wait for a slot asks again this much later. */
const LEAST_STEP_MS = 20

export function createHostLimits(options: HostLimitOptions = {}): HostLimits {
  const usual = { spacingMs: options.spacingMs ?? SECOND_MS, concurrency: Math.max(1, options.concurrency ?? 2) }
  return new Limits(usual, options.paceOf ?? (() => null))
}

class Limits implements HostLimits {
  readonly #hosts = new Map<string, Host>()
  readonly #usual: Pace
  readonly #paceOf: (host: string) => Pace | null

  constructor(usual: Pace, paceOf: (host: string) => Pace | null) {
    this.#usual = usual
    this.#paceOf = paceOf
  }

  get size(): number {
    return this.#hosts.size
  }

  admit(name: string, now: InstantMs, kind: 'refresh' | 'hop' = 'refresh'): Admission {
    this.#forgetSome(now)
    const host = this.#host(name)
    return kind === 'hop' ? this.#admitHop(host, now) : this.#admitRefresh(host, now)
  }

  mayStart(name: string, now: InstantMs, kind: 'refresh' | 'hop' = 'refresh'): boolean {
    const host = this.#host(name)
    if (obstacleAt(host, now) !== null) return false
    const turn = host.turns.first(now)
    return kind === 'hop' || turn === null || turn <= now || !this.#wouldPass(host, now)
  }

  leave(name: string, _now: InstantMs): void {
    const host = this.#hosts.get(name)
    if (host !== undefined) host.inFlight = Math.max(0, host.inFlight - 1)
  }

  rest(name: string, until: InstantMs): void {
    const host = this.#host(name)
    host.restUntil = Math.max(host.restUntil, until)
  }

  nextFree(name: string, now: InstantMs): InstantMs {
    const host = this.#hosts.get(name)
    if (host === undefined || (obstacleAt(host, now) === null && !this.#wouldPass(host, now))) return now
    return host.turns.endsAt(earliestAt(host, now), stepMs(host))
  }

  #admitRefresh(host: Host, now: InstantMs): Admission {
    const turn = host.turns.first(now)
    const isDue = turn !== null && turn <= now
    const obstacle = obstacleAt(host, now)
    if (obstacle === null && (isDue || !this.#wouldPass(host, now))) {
      if (isDue) host.turns.take()
      return this.#start(host, now)
    }
    // The start before came a little late: this turn is only shifted, not lost.
    if (isDue && obstacle === 'spacing' && host.nextStart - now <= host.pace.spacingMs / 4) {
      return { go: false, retryAt: host.nextStart, reason: 'spacing' }
    }
    if (isDue) host.turns.take()
    const retryAt = host.turns.promise(earliestAt(host, now), stepMs(host))
    return { go: false, retryAt, reason: obstacle ?? 'spacing' }
  }

  #admitHop(host: Host, now: InstantMs): Admission {
    const obstacle = obstacleAt(host, now)
    if (obstacle === null) return this.#start(host, now)
    host.lastHopTurn = Math.max(earliestAt(host, now), host.lastHopTurn + stepMs(host))
    return { go: false, retryAt: host.lastHopTurn, reason: obstacle }
  }

  #start(host: Host, now: InstantMs): Admission {
    host.inFlight++
    host.nextStart = now + host.pace.spacingMs
    return { go: true }
  }

  /** Whether a start now would take the room of a promised turn. */
  #wouldPass(host: Host, now: InstantMs): boolean {
    const turn = host.turns.first(now)
    return turn !== null && turn < now + host.pace.spacingMs
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name)
    const pace = this.#paceOf(name) ?? this.#usual
    if (host === undefined) {
      const never = Number.NEGATIVE_INFINITY
      host = { pace, inFlight: 0, nextStart: never, restUntil: never, lastHopTurn: never, turns: new HostTurns() }
      this.#hosts.set(name, host)
    } else if (host.pace !== pace) {
      // Where a host has just complained, the distance counts from the last start.
      host.nextStart += Math.max(0, pace.spacingMs - host.pace.spacingMs)
      host.pace = pace
    }
    return host
  }

  /** A look at the two hosts that were examined longest ago: all are seen in time, at a constant cost per call. */
  #forgetSome(now: InstantMs): void {
    let looks = 2
    for (const [name, host] of this.#hosts) {
      if (looks-- === 0) return
      this.#hosts.delete(name)
      if (!isIdle(host, now)) this.#hosts.set(name, host)
    }
  }
}

function obstacleAt(host: Host, now: InstantMs): 'spacing' | 'concurrency' | 'resting' | null {
  if (host.restUntil > now) return 'resting'
  if (host.inFlight >= host.pace.concurrency) return 'concurrency'
  return host.nextStart > now ? 'spacing' : null
}

function earliestAt(host: Host, now: InstantMs): InstantMs {
  const waitMs = host.inFlight >= host.pace.concurrency ? stepMs(host) : 1
  return Math.max(host.nextStart, host.restUntil, now + waitMs)
}

function stepMs({ pace }: Host): DurationMs {
  return Math.max(pace.spacingMs, LEAST_STEP_MS)
}

/** As good as unknown: it would be admitted at once. */
function isIdle(host: Host, now: InstantMs): boolean {
  if (host.inFlight > 0 || host.nextStart > now || host.restUntil > now || host.lastHopTurn > now) return false
  return host.turns.isOver(now)
}
