import { LONGEST_REST_MS } from '../../http/retry-after.ts'
import { type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import { registrableDomain } from '../../runtime/registrable-domain.ts'
import { type Admission, createHostLimits, type HostLimits, type Pace } from './host-limits.ts'
import { type HostBackoff, increaseBackoff, relaxBackoff, strainedPace } from './learnt-pace.ts'
import { SlowHosts } from './slow-hosts.ts'
import { pacesAsStated } from './stated-paces.ts'

/** What a request came back with, as far as politeness is concerned. */
export interface HostAnswer {
  /** null: no answer at all. */
  readonly status: number | null
  /** Retry-After, on our clock. */
  readonly retryAt: InstantMs | null
}

/**
 * Limits per host, per registrable domain (all of `example.org`) and per neighbourhood of addresses, each with its own
 * spacing and concurrency; a request goes where all three allow it. They are learnt: 429 and 503 make a host twice as
 * slow, quiet makes it faster again. Complaints of two hosts of one domain are taken for the domain's, of two domains on
 * the same machines for theirs. Where a site has published its limits, its domain begins with those.
 */
export interface Politeness extends HostLimits {
  recordAnswer(host: string, answer: HostAnswer, now: InstantMs): void
  /** How long a host has let a request wait. */
  took(host: string, tookMs: DurationMs, nowMs: DurationMs): void
  /** How long a slow host takes; null: it is not slow. */
  slowMs(host: string): DurationMs | null
  /** What is worth storing over a restart; null: nothing was learnt. */
  keep(now: InstantMs): StoredPoliteness | null
  /** What another process has learnt meanwhile: rests count, and what is slower than it is known here. */
  learn(stored: NonNullable<PolitenessOptions['stored']>): void
  /** The clock was set by so much: every distance and rest stays as long as it was. */
  shift(byMs: DurationMs): void
}

export interface StoredPoliteness {
  readonly v: 1
  readonly strains: readonly (readonly [name: string, factor: number, changedAt: InstantMs])[]
  readonly rests: readonly (readonly [host: string, until: InstantMs])[]
  readonly slow: readonly (readonly [host: string, latencyMs: DurationMs])[]
}

export interface PolitenessOptions {
  /** Of one host; what a domain and a neighbourhood may bear follows from it. */
  readonly host: Pace
  /** The neighbourhood of a host name; null: not known. */
  readonly groupOf?: (hostname: string) => string | null
  readonly stored?: {
    readonly politeness: StoredPoliteness
    /** By how much the clock was set since. */
    readonly setByMs: DurationMs
    readonly now: InstantMs
  } | null
}

/** A host that says 429 without saying how long gets this much rest. */
const REST_AFTER_429_MS = MINUTE_MS
/** Complaints of two members within this time are the group's. */
const TOGETHER_MS = HOUR_MS
const MOST_LEARNT = 10_000

export function createPoliteness(options: PolitenessOptions): Politeness {
  return new LearntPoliteness(options)
}

/** The name by which a tier knows a host. */
interface TierMember {
  readonly tier: Tier
  readonly name: string
  /** Whom of the group a complaint came from. */
  readonly member: string
}

class LearntPoliteness implements Politeness {
  readonly #hosts: Tier
  readonly #domains: Tier
  readonly #neighbours: Tier
  readonly #groupOf: (hostname: string) => string | null
  /** Where each request under way was admitted: what is known of a host may change meanwhile. */
  readonly #admitted = new Map<string, TierMember[][]>()
  readonly #rests = new Map<string, InstantMs>()
  readonly #slow = new SlowHosts()
  /** By how much the clock was set so far: the parts inside do not know it. */
  #setByMs: DurationMs = 0

  constructor({ host, groupOf = () => null, stored = null }: PolitenessOptions) {
    this.#hosts = new Tier(host)
    const domain = { spacingMs: host.spacingMs / 2, concurrency: host.concurrency * 2 }
    this.#domains = new Tier(domain, pacesAsStated(domain))
    this.#neighbours = new Tier({ spacingMs: host.spacingMs / 20, concurrency: host.concurrency * 8 })
    this.#groupOf = groupOf
    if (stored !== null) this.learn(stored)
  }

  learn({ politeness: { strains, rests, slow }, setByMs, now }: NonNullable<PolitenessOptions['stored']>): void {
    for (const [name, factor, storedAt] of strains) {
      const tier = this.#tierOf(name)
      if ((tier.strains.get(name)?.factor ?? 0) >= factor) continue
      tier.restore(name, { factor, changedAt: Math.min(storedAt + setByMs, now) })
    }
    for (const [name, until] of rests) this.rest(name, Math.min(until + setByMs, now + LONGEST_REST_MS))
    this.#slow.restore(slow)
  }

  shift(byMs: DurationMs): void {
    this.#setByMs += byMs
  }

  get size(): number {
    return this.#hosts.limits.size
  }

  mayStart(host: string, now: InstantMs, kind?: 'refresh' | 'hop'): boolean {
    const at = now - this.#setByMs
    return this.#tiersOf(host).every(({ tier, name }) => tier.limits.mayStart(name, at, kind))
  }

  admit(host: string, now: InstantMs, kind?: 'refresh' | 'hop'): Admission {
    const at = now - this.#setByMs
    const tiers = this.#tiersOf(host)
    for (const { tier, name } of tiers) {
      if (!tier.limits.mayStart(name, at, kind)) return this.#outside(tier.limits.admit(name, at, kind))
    }
    for (const { tier, name } of tiers) tier.limits.admit(name, at, kind)
    const underWay = this.#admitted.get(host)
    if (underWay === undefined) this.#admitted.set(host, [tiers])
    else underWay.push(tiers)
    return { go: true }
  }

  leave(host: string, now: InstantMs): void {
    const underWay = this.#admitted.get(host)
    for (const { tier, name } of underWay?.shift() ?? []) tier.limits.leave(name, now - this.#setByMs)
    if (underWay?.length === 0) this.#admitted.delete(host)
  }

  rest(host: string, until: InstantMs): void {
    const at = until - this.#setByMs
    this.#hosts.limits.rest(host, at)
    this.#rests.set(host, Math.max(at, this.#rests.get(host) ?? at))
  }

  nextFree(host: string, now: InstantMs): InstantMs {
    const at = now - this.#setByMs
    return Math.max(...this.#tiersOf(host).map(({ tier, name }) => tier.limits.nextFree(name, at))) + this.#setByMs
  }

  recordAnswer(host: string, { status, retryAt }: HostAnswer, now: InstantMs): void {
    if (status === null) return
    const complains = status === 429 || status === 503
    // Nearly always: nobody has complained.
    if (!complains && this.#hosts.strains.size + this.#domains.strains.size + this.#neighbours.strains.size === 0)
      return
    const tiers = this.#tiersOf(host)
    const at = now - this.#setByMs
    if (!complains) {
      for (const { tier, name } of tiers) tier.quiet(name, at)
      return
    }
    this.#hosts.complaint(host, at)
    for (const { tier, name, member } of tiers.slice(1)) tier.complaintOf(name, member, at)
    const rest = retryAt ?? (status === 429 ? now + REST_AFTER_429_MS : null)
    if (rest !== null) this.rest(host, rest)
  }

  took(host: string, tookMs: DurationMs, nowMs: DurationMs): void {
    this.#slow.recordLatency(host, tookMs, nowMs)
  }

  slowMs(host: string): DurationMs | null {
    return this.#slow.latencyMs(host)
  }

  keep(now: InstantMs): StoredPoliteness | null {
    const set = this.#setByMs
    for (const [host, until] of this.#rests) if (until + set <= now) this.#rests.delete(host)
    const strains = [this.#hosts, this.#domains, this.#neighbours].flatMap((tier) =>
      [...tier.strains].map(([name, { factor, changedAt }]) => [name, factor, changedAt + set] as const),
    )
    const rests = [...this.#rests].map(([host, until]) => [host, until + set] as const)
    const slow = this.#slow.keep()
    return strains.length + rests.length + slow.length === 0 ? null : { v: 1, strains, rests, slow }
  }

  #outside(admission: Admission): Admission {
    return admission.go ? admission : { ...admission, retryAt: admission.retryAt + this.#setByMs }
  }

  /** The host first; the names of the tiers cannot be taken for each other. */
  #tiersOf(host: string): TierMember[] {
    const tiers: TierMember[] = [{ tier: this.#hosts, name: host, member: host }]
    const hostname = host.replace(/:\d+$/, '')
    // null for addresses and bare names.
    const domain = registrableDomain(hostname)
    if (domain !== null) tiers.push({ tier: this.#domains, name: domain, member: host })
    const group = this.#groupOf(hostname)
    if (group !== null) tiers.push({ tier: this.#neighbours, name: group, member: domain ?? host })
    return tiers
  }

  #tierOf(name: string): Tier {
    if (name.includes('/')) return this.#neighbours
    return /:\d+$/.test(name) ? this.#hosts : this.#domains
  }
}

/** Limits of one kind of name, with what was learnt of each. */
class Tier {
  readonly limits: HostLimits
  readonly strains = new Map<string, HostBackoff>()
  /** Kept beside the backoff, so that the pace of a host is one object as long as nothing changes. */
  readonly #paces = new Map<string, Pace>()
  readonly #usual: Pace
  readonly #stated: ReadonlyMap<string, Pace>
  /** Who complained last. */
  readonly #complaints = new Map<string, { readonly by: string; readonly at: InstantMs }>()

  constructor(usual: Pace, stated: ReadonlyMap<string, Pace> = new Map()) {
    this.#usual = usual
    this.#stated = stated
    this.limits = createHostLimits({
      ...usual,
      paceOf: (name) => this.#paces.get(name) ?? stated.get(name) ?? null,
    })
  }

  complaint(name: string, now: InstantMs): void {
    this.restore(name, increaseBackoff(this.strains.get(name) ?? null, now))
  }

  /** Counts for the group when another of its members complained lately. */
  complaintOf(name: string, member: string, now: InstantMs): void {
    const last = this.#complaints.get(name)
    this.#complaints.delete(name)
    this.#complaints.set(name, { by: member, at: now })
    forgetOldest(this.#complaints)
    if (last !== undefined && last.by !== member && now - last.at < TOGETHER_MS) this.complaint(name, now)
  }

  quiet(name: string, now: InstantMs): void {
    const before = this.strains.get(name)
    if (before === undefined) return
    const after = relaxBackoff(before, now)
    if (after !== null) {
      this.restore(name, after)
      return
    }
    this.strains.delete(name)
    this.#paces.delete(name)
  }

  restore(name: string, backoff: HostBackoff): void {
    if (this.strains.get(name) === backoff) return
    this.strains.delete(name)
    this.strains.set(name, backoff)
    this.#paces.set(name, strainedPace(backoff, this.#stated.get(name) ?? this.#usual))
    const forgotten = forgetOldest(this.strains)
    if (forgotten !== null) this.#paces.delete(forgotten)
  }
}

function forgetOldest(map: Map<string, unknown>): string | null {
  if (map.size <= MOST_LEARNT) return null
  const [oldest] = map.keys()
  if (oldest === undefined) return null
  map.delete(oldest)
  return oldest
}
