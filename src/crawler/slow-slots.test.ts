import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FetchSlots } from './fetch-slots.ts'
import { createPoliteness } from './politeness/politeness.ts'
import { SLOW_MS } from './politeness/slow-hosts.ts'
import { callOffSlow, SlowHostQueue, slowSlotsOf } from './slow-slots.ts'

describe('places that slow hosts may hold', () => {
  it.each([
    [1, 1],
    [2, 1],
    [4, 1],
    [7, 1],
    [8, 2],
    [32, 8],
    [100, 25],
  ])('of %d: %d', (concurrency, slow) => expect(slowSlotsOf(concurrency)).toBe(slow))

  it('are given first come, first served', () => {
    const line = new SlowHostQueue()
    expect(line.ask(1, 0, 0)).toBe(1_000)
    expect(line.ask(2, 0, 10)).toBe(1_000)
    expect(line.ask(2, 1, 1_010)).not.toBeNull()
    expect(line.ask(3, 1, 1_010)).not.toBeNull()
    expect(line.ask(2, 2, 1_020)).toBeNull()
    expect(line.ask(1, 1, 1_030)).toBeNull()
  })

  it('are not reserved for a source that was paused while it waited', () => {
    const line = new SlowHostQueue()
    line.ask(1, 0, 0)
    expect(line.ask(2, 1, 5_000)).not.toBeNull()
    expect(line.ask(2, 1, 12_000)).toBeNull()
  })

  it('are requested less often the more are waiting', () => {
    const line = new SlowHostQueue()
    for (let id = 0; id < 6_400; id++) line.ask(id, 0, 0)
    expect(line.ask(6_401, 0, 0)).toBe(100_000)
  })
})

describe('beyond the quarter', () => {
  const slot = (isSlow: boolean, waitingForMs: number) => ({ isSlow, waitingForMs })

  it('aborts those that turned out to be slow last, and leaves the quarter alone', () => {
    const old = slot(false, 40_000)
    const [young, younger] = [slot(false, 9_000), slot(false, 6_000)]
    const slow = slot(true, 30_000)
    const quick = Array.from({ length: 4 }, () => slot(false, 100))
    expect(callOffSlow([young, ...quick, slow, younger, old], 8)).toEqual([young, younger])
    expect([old.isSlow, slow.isSlow, young.isSlow]).toEqual([true, true, false])
  })

  it('never aborts one that is within the quarter, however long it takes', () => {
    const slow = Array.from({ length: 8 }, () => slot(true, 58_000))
    expect(callOffSlow([...slow, ...Array.from({ length: 24 }, () => slot(false, 4_999))], 32)).toEqual([])
  })
})

interface Asker {
  readonly host: number
  readonly everyMs: number
}

interface Underway {
  readonly id: number
  readonly endMs: number
  readonly startMs: number
}

const STEP_MS = 250
const RUN_MS = 600_000

/** A crawler that takes what is due, in order, over ten virtual minutes; hosts above `slowFrom` take a minute, others 200 ms. */
function play(askers: readonly Asker[], concurrency: number, slowFrom: number) {
  let nowMs = 0
  const clock = { monotonicMs: () => nowMs }
  const limits = createPoliteness({ host: { spacingMs: 0, concurrency: 100 } })
  const slots = new FetchSlots({ concurrency, limits, clock })
  const dueMs = askers.map((_, id) => id)
  const underway = new Map<number, Underway>()
  const done = askers.map(() => 0)
  const figures = { mostSlow: 0, quickWaitedBesideFree: 0, callOffs: 0, done, longestSlowWaitMs: 0 }
  const wantedSince = askers.map((): number | null => null)
  const end = (id: number) => {
    underway.delete(id)
    slots.leave(id)
    dueMs[id] = nowMs + askers[id]!.everyMs
  }
  for (; nowMs < RUN_MS; nowMs += STEP_MS) {
    for (const { id, startMs, endMs } of [...underway.values()]) {
      if (endMs > nowMs) continue
      done[id]!++
      wantedSince[id] = null
      limits.took(`h${askers[id]!.host}:80`, endMs - startMs, nowMs)
      end(id)
    }
    slots.callOffSlow()
    const due = askers.map((_, id) => id).filter((id) => !underway.has(id) && dueMs[id]! <= nowMs)
    due.sort((a, b) => dueMs[a]! - dueMs[b]!)
    for (const id of due) {
      const { host } = askers[id]!
      const name = `h${host}:80`
      wantedSince[id] ??= nowMs
      if (slots.isFull) break
      const isKnown = limits.slowMs(name) !== null
      const waitMs = slots.waitMs(id, name)
      if (waitMs !== null) {
        if (!isKnown) figures.quickWaitedBesideFree++
        dueMs[id] = nowMs + waitMs
        continue
      }
      const slot = slots.enter(id, name)
      const startMs = nowMs
      slot.onRoad(0, () => {
        figures.callOffs++
        end(id)
        dueMs[id] = nowMs
      })
      underway.set(id, { id, startMs, endMs: nowMs + (host >= slowFrom ? 57_000 : 200) })
    }
    slots.callOffSlow()
    const slow = [...underway.values()].filter(({ id, startMs }) => {
      const known = limits.slowMs(`h${askers[id]!.host}:80`) !== null
      return askers[id]!.host >= slowFrom && (known || nowMs - startMs > SLOW_MS + 1_000)
    })
    figures.mostSlow = Math.max(figures.mostSlow, slow.length)
  }
  return figures
}

describe('any quick and slow hosts, in virtual time', () => {
  const world = fc.record({
    concurrency: fc.integer({ min: 1, max: 40 }),
    quick: fc.integer({ min: 0, max: 40 }),
    slow: fc.integer({ min: 0, max: 40 }),
    everyMs: fc.integer({ min: 1_000, max: 120_000 }),
  })

  it('slow ones hold a quarter at most, quick ones never wait beside a free place, all are served', () => {
    fc.assert(
      fc.property(world, ({ concurrency, quick, slow, everyMs }) => {
        const askers = Array.from({ length: quick + slow }, (_, host) => ({ host, everyMs }))
        const { mostSlow, quickWaitedBesideFree, done } = play(askers, concurrency, quick)
        expect(mostSlow).toBeLessThanOrEqual(slowSlotsOf(concurrency))
        expect(quickWaitedBesideFree).toBe(0)
        // With a slot beside the slow ones.
        if (concurrency > 1) for (const count of done.slice(0, quick)) expect(count).toBeGreaterThan(2)
        // As many in turn as fit into the time: none is skipped twice.
        const turns = Math.floor((slowSlotsOf(concurrency) * (RUN_MS - 60_000)) / 60_000)
        const served = done.slice(quick)
        if (slow <= turns) for (const count of served) expect(count).toBeGreaterThan(0)
        expect(served.filter((count) => count > 0).length).toBeGreaterThanOrEqual(Math.min(slow, turns))
      }),
      { numRuns: 40 },
    )
  })

  it('64 hosts that drip leave 24 of 32 places to the others', () => {
    const askers = Array.from({ length: 64 + 100 }, (_, host) => ({ host, everyMs: 5_000 }))
    const figures = play(askers, 32, 100)
    expect(figures.mostSlow).toBe(8)
    expect(Math.min(...figures.done.slice(0, 100))).toBeGreaterThan(100)
    expect(Math.min(...figures.done.slice(100))).toBeGreaterThan(0)
    // Once for each that was not known, never again.
    expect(figures.callOffs).toBeLessThanOrEqual(64)
  })
})
