import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { AddressGroups, groupOf } from './address-groups.ts'
import { type HostBackoff, increaseBackoff, relaxBackoff, strainedPace } from './learnt-pace.ts'
import { createPoliteness, type Politeness, type StoredPoliteness } from './politeness.ts'

const PACE = { spacingMs: SECOND_MS, concurrency: 2 }
const COMPLAINT = { status: 429, retryAt: null }
const FINE = { status: 200, retryAt: null }
const NEIGHBOURS = '192.0.2.0/24'

/** Least time between the starts of so many requests in a row, each over at once. */
function spacing(politeness: Politeness, host: string, from: number, requests = 4): number {
  const starts: number[] = []
  for (let now = from; starts.length < requests; ) {
    const admission = politeness.admit(host, now)
    if (admission.go) {
      starts.push(now)
      politeness.leave(host, now)
    }
    now = admission.go ? now + 1 : admission.retryAt
  }
  return Math.min(...starts.slice(1).map((at, index) => at - starts[index]!))
}

describe('what a site has published', () => {
  it('counts for all of its hosts together, and nobody else', () => {
    const politeness = createPoliteness({ host: PACE })
    expect(spacing(politeness, 'rss.arxiv.org:443', 0)).toBe(3 * SECOND_MS)
    expect(politeness.nextFree('export.arxiv.org:443', 9 * SECOND_MS)).toBe(12 * SECOND_MS)
    expect(spacing(politeness, 'www.reddit.com:443', 0)).toBe(6 * SECOND_MS)
    expect(spacing(politeness, 'arxiv.org.example.net:443', 0)).toBe(SECOND_MS)
  })

  it('lets one request at a time through where it says so', () => {
    const politeness = createPoliteness({ host: { spacingMs: 0, concurrency: 5 } })
    expect(politeness.admit('rss.arxiv.org:443', 0)).toEqual({ go: true })
    expect(politeness.admit('export.arxiv.org:443', MINUTE_MS)).toMatchObject({ go: false, reason: 'concurrency' })
    politeness.leave('rss.arxiv.org:443', MINUTE_MS)
    expect(politeness.mayStart('export.arxiv.org:443', 2 * MINUTE_MS)).toBe(true)
  })

  it('makes nothing faster than it is set, and is where complaints begin', () => {
    const slow = createPoliteness({ host: { spacingMs: 20 * SECOND_MS, concurrency: 1 } })
    expect(spacing(slow, 'rss.arxiv.org:443', 0)).toBe(20 * SECOND_MS)
    const politeness = createPoliteness({ host: PACE })
    for (const host of ['rss.arxiv.org:443', 'export.arxiv.org:443']) politeness.recordAnswer(host, COMPLAINT, 0)
    expect(spacing(politeness, 'arxiv.org:443', 2 * MINUTE_MS)).toBe(6 * SECOND_MS)
  })
})

describe('what a host bears is learnt', () => {
  it('429 and 503 make it slower, each time twice', () => {
    for (const status of [429, 503]) {
      const politeness = createPoliteness({ host: PACE })
      expect(spacing(politeness, 'a.example:443', 0)).toBe(SECOND_MS)
      politeness.recordAnswer('a.example:443', { status, retryAt: null }, HOUR_MS)
      expect(spacing(politeness, 'a.example:443', HOUR_MS + 2 * MINUTE_MS)).toBe(2 * SECOND_MS)
      politeness.recordAnswer('a.example:443', { status, retryAt: null }, HOUR_MS + 3 * MINUTE_MS)
      expect(spacing(politeness, 'a.example:443', HOUR_MS + 6 * MINUTE_MS)).toBeGreaterThan(3.5 * SECOND_MS)
    }
  })

  it('and one at a time', () => {
    const politeness = createPoliteness({ host: { spacingMs: 0, concurrency: 5 } })
    politeness.recordAnswer('a.example:80', { status: 503, retryAt: null }, 0)
    expect(politeness.admit('a.example:80', HOUR_MS)).toEqual({ go: true })
    expect(politeness.admit('a.example:80', HOUR_MS + MINUTE_MS)).toMatchObject({ go: false, reason: 'concurrency' })
  })

  it('quiet makes it faster again, until nothing is left of it', () => {
    const politeness = createPoliteness({ host: PACE })
    for (let n = 0; n < 5; n++) politeness.recordAnswer('a.example:443', COMPLAINT, n * MINUTE_MS)
    const slow = spacing(politeness, 'a.example:443', 10 * MINUTE_MS)
    const spacings = [1, 2, 3, 4, 5, 6].map((hours) => {
      politeness.recordAnswer('a.example:443', FINE, hours * HOUR_MS)
      return spacing(politeness, 'a.example:443', hours * HOUR_MS + MINUTE_MS)
    })
    expect(slow).toBeGreaterThan(20 * SECOND_MS)
    expect([...spacings].sort((a, b) => b - a)).toEqual(spacings)
    expect(spacings.at(-1)).toBe(SECOND_MS)
    expect(politeness.keep(7 * HOUR_MS)).toBeNull()
  })

  it('no answer at all says nothing about how much it bears', () => {
    const politeness = createPoliteness({ host: PACE })
    politeness.recordAnswer('a.example:443', { status: null, retryAt: null }, 0)
    expect(politeness.keep(1)).toBeNull()
  })

  it('answers to requests that were under way together are one complaint', () => {
    const once = increaseBackoff(null, 0)
    expect(increaseBackoff(increaseBackoff(once, 1), 500)).toEqual(once)
  })

  it('a 429 gives the host a minute of rest, or what it asked for', () => {
    const politeness = createPoliteness({ host: PACE })
    politeness.recordAnswer('a.example:443', COMPLAINT, 0)
    expect(politeness.admit('a.example:443', 30 * SECOND_MS)).toMatchObject({ go: false, reason: 'resting' })
    politeness.recordAnswer('b.example:443', { status: 503, retryAt: HOUR_MS }, 0)
    expect(politeness.admit('b.example:443', HOUR_MS - 1)).toMatchObject({ go: false, reason: 'resting' })
    expect(politeness.admit('b.example:443', HOUR_MS)).toEqual({ go: true })
  })

  it('backoff grows with complaints, falls with quiet, and stays in bounds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4 * HOUR_MS })), { maxLength: 60 }),
        (story) => {
          let now = 0
          let backoff: HostBackoff | null = null
          for (const [complains, laterMs] of story) {
            now += laterMs
            const before: number = backoff?.factor ?? 1
            backoff = complains ? increaseBackoff(backoff, now) : backoff && relaxBackoff(backoff, now)
            const after = backoff?.factor ?? 1
            expect(after).toBeLessThanOrEqual(64)
            if (!complains) expect(after).toBeLessThanOrEqual(before)
            if (backoff !== null) expect(strainedPace(backoff, PACE).spacingMs).toBeGreaterThanOrEqual(PACE.spacingMs)
          }
        },
      ),
    )
  })
})

describe('hosts of one domain', () => {
  it('share what the domain bears: twice that of a host', () => {
    const politeness = createPoliteness({ host: { spacingMs: SECOND_MS, concurrency: 1 } })
    const go = (host: string, now: number) => politeness.admit(host, now).go
    expect(go('a.example.co.uk:443', 0)).toBe(true)
    expect(go('b.example.co.uk:443', 100)).toBe(false)
    expect(go('b.example.co.uk:443', 500)).toBe(true)
    expect(go('c.example.co.uk:80', 1_500)).toBe(false)
    expect(go('other.co.uk:443', 1_500)).toBe(true)
    politeness.leave('a.example.co.uk:443', 1_600)
    expect(go('c.example.co.uk:80', 2_100)).toBe(true)
  })

  it('that complain one after the other slow down the domain; one alone does not', () => {
    const politeness = createPoliteness({ host: PACE })
    politeness.recordAnswer('a.example.org:443', COMPLAINT, 0)
    politeness.recordAnswer('a.example.org:443', COMPLAINT, MINUTE_MS)
    const domains = () => (politeness.keep(MINUTE_MS)?.strains ?? []).map(([name]) => name)
    expect(domains()).toEqual(['a.example.org:443'])
    politeness.recordAnswer('b.example.org:443', COMPLAINT, 2 * MINUTE_MS)
    expect(domains()).toContain('example.org')
    // A third host of the domain, which never complained, gets requests more slowly too.
    expect(spacing(politeness, 'c.example.org:443', HOUR_MS)).toBeGreaterThan(SECOND_MS)
  })

  it('are not made of addresses', () => {
    const politeness = createPoliteness({ host: { spacingMs: 10_000, concurrency: 1 } })
    expect(politeness.admit('127.0.0.1:8001', 0).go && politeness.admit('127.0.0.1:8002', 0).go).toBe(true)
  })
})

describe('hosts on the same machines', () => {
  it.each([
    ['93.184.216.34', '93.184.216.0/24'],
    ['::ffff:93.184.216.34', '93.184.216.0/24'],
    ['2606:2800:220:1:248:1893:25c8:1946', '2606:2800:220::/48'],
    ['127.0.0.1', null],
    ['10.1.2.3', null],
    ['fe80::1', null],
    ['no address', null],
  ])('%s is of the neighbourhood %s', (address, group) => {
    expect(groupOf(address)).toBe(group)
  })

  it('are known from what the resolver said, and only so many of them', async () => {
    const groups = new AddressGroups(async () => [{ address: '93.184.216.34', family: 4 }])
    expect(groups.of('a.example')).toBeNull()
    await groups.resolve('a.example')
    expect(groups.of('a.example')).toBe('93.184.216.0/24')
    for (let n = 0; n < 60_000; n++) groups.learn(`host-${n}.example`, ['93.184.216.34'])
    expect(groups.of('a.example')).toBeNull()
    expect(groups.of('host-59999.example')).not.toBeNull()
  })

  it('slow down together when two domains complain', () => {
    const politeness = createPoliteness({ host: PACE, groupOf: () => NEIGHBOURS })
    const fast = (from: number) => {
      let starts = 0
      for (let n = 0; n < 20; n++) if (politeness.admit(`blog-${n}-${from}.example`, from + n * 50).go) starts++
      return starts
    }
    expect(fast(0)).toBeGreaterThan(10)
    politeness.recordAnswer('one.example:443', COMPLAINT, HOUR_MS)
    politeness.recordAnswer('two.test:443', COMPLAINT, HOUR_MS + 1)
    expect(fast(2 * HOUR_MS)).toBe(0)
  })
})

describe('what was learnt survives a restart', () => {
  it('backoff of hosts, domains and neighbourhoods, and rest', () => {
    const before = createPoliteness({ host: PACE, groupOf: () => NEIGHBOURS })
    before.recordAnswer('a.example.org:443', { status: 503, retryAt: 2 * HOUR_MS }, 0)
    before.recordAnswer('b.example.org:443', COMPLAINT, 1)
    before.recordAnswer('x.test:443', COMPLAINT, 2)
    const politeness = JSON.parse(JSON.stringify(before.keep(MINUTE_MS))) as StoredPoliteness
    const stored = { politeness, setByMs: 0, now: MINUTE_MS }
    const after = createPoliteness({ host: PACE, groupOf: () => NEIGHBOURS, stored })
    expect(after.keep(MINUTE_MS)).toEqual(before.keep(MINUTE_MS))
    expect(after.admit('a.example.org:443', HOUR_MS)).toMatchObject({ go: false, reason: 'resting' })
    expect(spacing(after, 'c.example.org:443', HOUR_MS)).toBe(spacing(before, 'c.example.org:443', HOUR_MS))
  })

  it.each([400 * DAY_MS, -400 * DAY_MS])(
    'as long as it was to be, by a clock that was set by %d ms meanwhile',
    (setByMs) => {
      const before = createPoliteness({ host: PACE })
      before.recordAnswer('a.example:443', { status: 503, retryAt: 2 * HOUR_MS }, HOUR_MS)
      const now = HOUR_MS + setByMs
      const after = createPoliteness({ host: PACE, stored: { politeness: before.keep(HOUR_MS)!, setByMs, now } })
      expect(after.admit('a.example:443', now + HOUR_MS - 1)).toMatchObject({ go: false, reason: 'resting' })
      expect(after.nextFree('a.example:443', now + HOUR_MS - 1)).toBeLessThanOrEqual(now + HOUR_MS + MINUTE_MS)
    },
  )

  it('not for years, whatever a clock has left behind', () => {
    const politeness: StoredPoliteness = { v: 1, strains: [], rests: [['a.example:443', 400 * DAY_MS]], slow: [] }
    const after = createPoliteness({ host: PACE, stored: { politeness, setByMs: 0, now: 0 } })
    expect(after.nextFree('a.example:443', 0)).toBe(7 * DAY_MS)
  })

  it('a rest that is over is forgotten', () => {
    const politeness = createPoliteness({ host: PACE })
    politeness.rest('a.example:443', 10)
    expect(politeness.keep(5)?.rests).toHaveLength(1)
    expect(politeness.keep(11)).toBeNull()
  })
})

interface Asker {
  readonly host: number
  readonly firstAt: number
  readonly servedMs: number
}

describe('any hosts, domains and neighbourhoods, in virtual time', () => {
  const hostOf = (n: number) => `h${n}.d${n % 3}.example:443`
  const limits = [
    { nameOf: hostOf, spacingMs: 1_000, concurrency: 1 },
    { nameOf: (n: number) => `d${n % 3}`, spacingMs: 500, concurrency: 2 },
    { nameOf: () => 'all', spacingMs: 50, concurrency: 8 },
  ]

  it('never exceed a limit of any of the three, and all are served', () => {
    const askers = fc.array(
      fc.record({
        host: fc.integer({ min: 0, max: 8 }),
        firstAt: fc.integer({ min: 0, max: 4_000 }),
        servedMs: fc.integer({ min: 1, max: 3_000 }),
      }),
      { maxLength: 50 },
    )
    fc.assert(
      fc.property(askers, (requests) => {
        // d0.example … are registrable domains.
        const politeness = createPoliteness({ host: { spacingMs: 1_000, concurrency: 1 }, groupOf: () => NEIGHBOURS })
        const starts = serve(politeness, requests, hostOf)
        expect(starts).toHaveLength(requests.length)
        for (const { nameOf, spacingMs, concurrency } of limits) {
          for (const name of new Set(starts.map(({ host }) => nameOf(host)))) {
            const own = starts.filter(({ host }) => nameOf(host) === name)
            own.forEach((start, index) => {
              if (index > 0) expect(start.at - own[index - 1]!.at).toBeGreaterThanOrEqual(spacingMs)
              const together = own.filter(({ at, end }) => at <= start.at && start.at < end).length
              expect(together).toBeLessThanOrEqual(concurrency)
            })
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

/** Drives askers in virtual time: each asks when its turn comes, until it may go. */
function serve(politeness: Politeness, askers: readonly Asker[], hostOf: (n: number) => string) {
  const events = askers.map(({ firstAt }, asker) => ({ at: firstAt, asker, leaves: false }))
  const starts: { readonly host: number; readonly at: number; readonly end: number }[] = []
  for (let steps = 0; events.length > 0 && steps < 50_000; steps++) {
    events.sort((a, b) => a.at - b.at)
    const { at, asker, leaves } = events.shift()!
    const { host, servedMs } = askers[asker]!
    if (leaves) {
      politeness.leave(hostOf(host), at)
      continue
    }
    const admission = politeness.admit(hostOf(host), at)
    if (admission.go) starts.push({ host, at, end: at + servedMs })
    events.push({ at: admission.go ? at + servedMs : admission.retryAt, asker, leaves: admission.go })
  }
  return starts
}
