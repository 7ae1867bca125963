import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { followTroubles, type Trouble, troublesOf, type WatchedSource } from './alerts.ts'

type WatchedNode = Parameters<typeof troublesOf>[0]
type Alert = ReturnType<typeof followTroubles>[number]

const NOW = Date.UTC(2030, 0, 1)

function source(change: Partial<WatchedSource> = {}): WatchedSource {
  return { id: 1, name: 'One', condition: 'fine', lastCheckAt: NOW - MINUTE_MS, nextCheckAt: NOW + HOUR_MS, ...change }
}

function node(change: Partial<WatchedNode> = {}): WatchedNode {
  return { now: NOW, sources: [source()], wish: null, ...change }
}

const kinds = (condition: WatchedNode) => troublesOf(condition).map(({ kind }) => kind)

describe('what is a trouble', () => {
  const still = { lastCheckAt: NOW - 2 * HOUR_MS, nextCheckAt: NOW - 2 * HOUR_MS }
  it.each([
    ['nothing is', node(), []],
    ['a feed that is gone', node({ sources: [source({ condition: 'gone' })] }), ['died']],
    ['a feed that fails', node({ sources: [source({ condition: 'failing' })] }), ['died']],
    ['a feed that floods', node({ sources: [source({ condition: 'flooding' })] }), ['floods']],
    ['a full window', node({ sources: [source({ condition: 'saturated' })] }), ['overflows']],
    ['a wish beyond the budget', node({ wish: { neededPerDay: 200, requestsPerDay: 100 } }), ['budget']],
    ['a wish within it', node({ wish: { neededPerDay: 100, requestsPerDay: 100 } }), []],
    ['a node that stands still', node({ sources: [source(still), source({ ...still, id: 2 })] }), ['still']],
    ['one that fetches elsewhere', node({ sources: [source(still), source({ id: 2 })] }), []],
    ['one with nothing due', node({ sources: [source({ ...still, nextCheckAt: NOW + HOUR_MS })] }), []],
    ['one that has never looked', node({ sources: [source({ ...still, lastCheckAt: null })] }), []],
  ])('%s', (_name, condition, expected) => {
    expect(kinds(condition)).toEqual(expected)
  })
})

const FLOOD: Trouble = { kind: 'floods', sourceId: 1, name: 'One', lastingMs: 0 }
const FULL: Trouble = { kind: 'overflows', sourceId: 1, name: 'One', lastingMs: 6 * HOUR_MS }

/** Looks every hour; what is wrong at each. */
function over(looks: readonly (readonly Trouble[])[]): readonly Alert[] {
  return looks.reduce<readonly Alert[]>((alerts, troubles, k) => {
    // As after a restart between any two looks.
    const stored = JSON.parse(JSON.stringify(alerts)) as readonly Alert[]
    return followTroubles(stored, troubles, NOW + k * HOUR_MS)
  }, [])
}

const told = (alerts: readonly Alert[]) => alerts.filter(({ toldAt }) => toldAt !== null)
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('each trouble is told once', () => {
  it('however long it lasts', () => {
    expect(over(times(100, [FLOOD])).map(({ toldAt }) => toldAt)).toEqual([NOW])
  })

  it('not at all if it is over before it is worth a word', () => {
    const alerts = over([...times(5, [FULL]), ...times(30, [])])
    expect(alerts).toEqual([])
  })

  it('once it has lasted', () => {
    expect(told(over(times(6, [FULL])))).toHaveLength(0)
    expect(told(over(times(8, [FULL])))).toHaveLength(1)
  })

  it('also where it comes and goes', () => {
    expect(told(over(times(50, 0).map((_, k) => (k % 3 === 0 ? [FLOOD] : []))))).toHaveLength(1)
  })

  it('and again when it comes back after a calm day', () => {
    const alerts = told(over([[FLOOD], ...times(30, []), [FLOOD]]))
    expect(alerts.map(({ endedAt }) => endedAt)).toEqual([NOW + 24 * HOUR_MS, null])
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(2)
  })

  it('never twice within a day, whatever happens', () => {
    const looks = fc.array(fc.subarray([FLOOD, FULL, { ...FLOOD, sourceId: 2 }]), { maxLength: 120 })
    fc.assert(
      fc.property(looks, (troubles) => {
        const found = told(over(troubles))
        for (const alert of found) {
          const others = found.filter((other) => other !== alert && other.kind === alert.kind)
          for (const other of others.filter(({ sourceId }) => sourceId === alert.sourceId))
            expect(Math.abs((other.toldAt ?? 0) - (alert.toldAt ?? 0))).toBeGreaterThanOrEqual(DAY_MS)
        }
      }),
    )
  })
})
