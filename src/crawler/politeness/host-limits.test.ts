import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostKey } from '../fetch/host-key.ts'
import { createHostLimits, type HostLimits } from './host-limits.ts'

describe('host keys', () => {
  it.each([
    ['http://Example.ORG/feed', 'example.org:80'],
    ['https://example.org/feed', 'example.org:443'],
    ['http://example.org:8080/a', 'example.org:8080'],
    ['http://example.org:80/', 'example.org:80'],
    ['http://user:pw@example.org./', 'example.org:80'],
    ['http://bücher.example/', 'xn--bcher-kva.example:80'],
    ['http://[::1]:9000/', '[::1]:9000'],
    ['no url', ''],
  ])('%s → %s', (url, key) => {
    expect(hostKey(url)).toBe(key)
  })
})

describe('one host', () => {
  it('gets one request per spacing', () => {
    const limits = createHostLimits({ spacingMs: 1_000, concurrency: 2 })
    expect(limits.admit('a', 0)).toEqual({ go: true })
    expect(limits.admit('a', 10)).toEqual({ go: false, retryAt: 1_000, reason: 'spacing' })
    expect(limits.admit('a', 1_000)).toEqual({ go: true })
  })

  it('gets no more requests at once than allowed', () => {
    const limits = createHostLimits({ spacingMs: 10, concurrency: 1 })
    limits.admit('a', 0)
    expect(limits.admit('a', 500)).toMatchObject({ go: false, reason: 'concurrency' })
    limits.leave('a', 600)
    expect(limits.admit('a', 1_000)).toEqual({ go: true })
  })

  it('gives everyone who has to wait a turn of their own', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.admit('a', 0)
    const turns = Array.from({ length: 1_000 }, () => limits.admit('a', 0))
    expect(turns.map((turn) => !turn.go && turn.retryAt)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => (i + 1) * 1_000),
    )
    expect(limits.nextFree('a', 0)).toBe(1_001_000)
    expect(limits.nextFree('b', 0)).toBe(0)
  })

  it('lets no newcomer pass those who wait', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.admit('a', 0)
    limits.leave('a', 1)
    limits.admit('a', 500) // has the turn at 1,000
    limits.admit('a', 500) // has the turn at 2,000
    expect(limits.admit('a', 1_000)).toEqual({ go: true })
    limits.leave('a', 1_001)
    expect(limits.admit('a', 1_500)).toMatchObject({ go: false, retryAt: 3_000 })
    expect(limits.admit('a', 2_000)).toEqual({ go: true })
  })

  it('keeps a promised turn even when a place falls free just before it', () => {
    const limits = createHostLimits({ spacingMs: 1_000, concurrency: 1 })
    limits.admit('a', 0)
    expect(limits.admit('a', 5_000)).toEqual({ go: false, retryAt: 6_000, reason: 'concurrency' })
    limits.leave('a', 5_100)
    expect(limits.admit('a', 5_500)).toEqual({ go: false, retryAt: 7_000, reason: 'spacing' })
    expect(limits.admit('a', 6_000)).toEqual({ go: true })
  })

  it('shifts a turn that comes a little early, instead of sending its owner to the end', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.admit('a', 0)
    limits.admit('a', 0)
    limits.admit('a', 0)
    limits.admit('a', 0)
    limits.leave('a', 1)
    expect(limits.admit('a', 1_030)).toEqual({ go: true }) // 30 ms late
    limits.leave('a', 1_031)
    expect(limits.admit('a', 2_001)).toEqual({ go: false, retryAt: 2_030, reason: 'spacing' })
    expect(limits.admit('a', 2_030)).toEqual({ go: true })
  })

  it('rests as long as it asked for, with all its sources, and others do not', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.rest('a', 60_000)
    limits.rest('a', 30_000)
    expect(limits.admit('a', 0)).toEqual({ go: false, retryAt: 60_000, reason: 'resting' })
    expect(limits.admit('a', 0)).toEqual({ go: false, retryAt: 61_000, reason: 'resting' })
    expect(limits.admit('b', 0)).toEqual({ go: true })
    expect(limits.admit('a', 60_000)).toEqual({ go: true })
  })

  it('lets a redirect go first: it holds a worker', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.admit('a', 0)
    for (let i = 0; i < 100; i++) limits.admit('a', 0)
    expect(limits.admit('a', 5, 'hop')).toEqual({ go: false, retryAt: 1_000, reason: 'spacing' })
    expect(limits.admit('a', 5, 'hop')).toEqual({ go: false, retryAt: 2_000, reason: 'spacing' })
    expect(limits.admit('a', 1_000, 'hop')).toEqual({ go: true })
  })

  it('survives a leave too many', () => {
    const limits = createHostLimits({ spacingMs: 0, concurrency: 1 })
    limits.leave('a', 0)
    limits.admit('a', 0)
    limits.leave('a', 1)
    limits.leave('a', 1)
    expect(limits.admit('a', 2)).toEqual({ go: true })
    expect(limits.admit('a', 2)).toMatchObject({ go: false })
  })
})

describe('memory', () => {
  it('holds only hosts in use, waited for or resting', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    limits.rest('resting', 1e9)
    limits.admit('busy', 0)
    for (let i = 0; i < 100_000; i++) {
      const now = i * 10
      limits.admit(`host-${i}`, now)
      limits.leave(`host-${i}`, now + 5)
    }
    expect(limits.size).toBeLessThan(500)
    expect(limits.admit('resting', 1_000_000)).toMatchObject({ reason: 'resting' })
  })

  it('stays bounded when someone does not wait for the turn', () => {
    const limits = createHostLimits({ spacingMs: 1_000 })
    let last = 0
    for (let i = 0; i < 50_000; i++) {
      const admission = limits.admit('a', 0)
      if (!admission.go) last = admission.retryAt
    }
    expect(last).toBe(49_999_000)
  })
})

interface Asker {
  readonly host: string
  readonly firstAt: number
  readonly servedMs: number
  readonly lateMs: number
}

interface Start {
  readonly asker: number
  readonly host: string
  readonly at: number
  readonly end: number
}

/** Drives askers through the limits in virtual time: each asks when its turn comes, a bit late, until it may go. */
function simulate(limits: HostLimits, askers: readonly Asker[]): { starts: Start[]; asks: number } {
  const events = askers.map((asker, i) => ({ at: asker.firstAt, asker: i, leaves: false }))
  const starts: Start[] = []
  let asks = 0
  while (events.length > 0 && asks < 100_000) {
    let next = 0
    for (let i = 1; i < events.length; i++) if (events[i]!.at < events[next]!.at) next = i
    const { at, asker, leaves } = events.splice(next, 1)[0]!
    const { host, servedMs, lateMs } = askers[asker]!
    if (leaves) {
      limits.leave(host, at)
      continue
    }
    asks++
    const admission = limits.admit(host, at)
    if (admission.go) {
      starts.push({ asker, host, at, end: at + servedMs })
      events.push({ at: at + servedMs, asker, leaves: true })
    } else {
      expect(admission.retryAt).toBeGreaterThan(at)
      events.push({ at: admission.retryAt + lateMs, asker, leaves: false })
    }
  }
  return { starts, asks }
}

const askerArb = (hosts: number, longestMs: number): fc.Arbitrary<Asker> =>
  fc.record({
    host: fc.integer({ min: 1, max: hosts }).map((n) => `host-${n}`),
    firstAt: fc.integer({ min: 0, max: 5_000 }),
    servedMs: fc.integer({ min: 1, max: longestMs }),
    lateMs: fc.integer({ min: 0, max: 40 }),
  })

describe('any sources, in virtual time', () => {
  const options = fc.record({ spacingMs: fc.constantFrom(0, 100, 1_000), concurrency: fc.integer({ min: 1, max: 3 }) })

  it('never start closer than the spacing nor exceed the concurrency, and all of them start', () => {
    fc.assert(
      fc.property(options, fc.array(askerArb(3, 4_000), { maxLength: 60 }), (limit, askers) => {
        const { starts } = simulate(createHostLimits(limit), askers)
        expect(starts.map(({ asker }) => asker).sort((a, b) => a - b)).toEqual(askers.map((_, i) => i))
        for (const host of new Set(starts.map((start) => start.host))) {
          const own = starts.filter((start) => start.host === host)
          for (const [i, start] of own.entries()) {
            if (i > 0) expect(start.at - own[i - 1]!.at).toBeGreaterThanOrEqual(limit.spacingMs)
            const inFlight = own.filter((other) => other.at <= start.at && start.at < other.end).length
            expect(inFlight).toBeLessThanOrEqual(limit.concurrency)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('use nearly all that a quick host allows, and ask little more than once for each turn', () => {
    fc.assert(
      fc.property(fc.array(askerArb(1, 300), { minLength: 20, maxLength: 100 }), (askers) => {
        const { starts, asks } = simulate(createHostLimits({ spacingMs: 1_000, concurrency: 2 }), askers)
        const spanMs = starts.at(-1)!.at - starts[0]!.at
        expect(spanMs).toBeLessThan(askers.length * 1_300 + 5_000)
        expect(asks).toBeLessThan(askers.length * 4)
      }),
      { numRuns: 100 },
    )
  })

  it('of one crowded host do not delay those of others', () => {
    const crowd = Array.from({ length: 500 }, () => ({ host: 'crowded', firstAt: 0, servedMs: 5_000, lateMs: 3 }))
    const others = Array.from({ length: 50 }, (_, i) => ({ host: `h${i}`, firstAt: i, servedMs: 5, lateMs: 3 }))
    const { starts } = simulate(createHostLimits({ spacingMs: 1_000, concurrency: 1 }), [...crowd, ...others])
    const delays = starts
      .filter(({ host }) => host !== 'crowded')
      .map(({ asker, at }) => at - others[asker - 500]!.firstAt)
    expect(delays).toEqual(new Array(50).fill(0))
    expect(starts).toHaveLength(550)
  })
})
