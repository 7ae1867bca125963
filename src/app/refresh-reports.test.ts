import { afterEach, beforeEach, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../test/support/virtual-clock.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import { REFRESH_REPORTS, type RefreshReport, readRefreshReports, reportRefreshes } from './refresh-reports.ts'

let clock: VirtualClock
let store: Store
let end: AbortController
let reports: number[]
let isWanted: boolean

beforeEach(() => {
  clock = virtualClock(1_000_000)
  store = createMemoryStore({ clock }).store
  end = new AbortController()
  reports = []
  isWanted = true
})
afterEach(() => end.abort())

function startCrawler(): (...ids: number[]) => void {
  const { note, layer } = reportRefreshes(store, clock)
  void layer.run(end.signal, () => {})
  return (...ids) => ids.forEach((sourceId) => void note(report(sourceId)))
}

function startReader(): void {
  const layer = readRefreshReports(
    store,
    clock,
    { isWanted: () => isWanted, withOwn: true },
    ({ sourceId }) => void reports.push(sourceId),
  )
  void layer.run(end.signal, () => {})
}

const report = (sourceId: number): RefreshReport => ({ sourceId, at: clock.now(), newItems: 0, error: null })

it('reports each refresh to another process once, in order, from when somebody listens', async () => {
  const refresh = startCrawler()
  refresh(1, 2)
  await clock.pass(12_000)
  expect(await store.state(REFRESH_REPORTS)).toBeNull()
  startReader()
  await clock.pass(3_000)
  refresh(3, 4)
  await clock.pass(2_000)
  expect(reports).toEqual([3, 4])
  refresh(5)
  await clock.pass(30_000)
  refresh(6)
  await clock.pass(2_000)
  expect(reports).toEqual([3, 4, 5, 6])
})

it.each([0, 400, 999, 5_000])(
  'misses nothing that comes while the crawler has not seen the reader yet (%i ms)',
  async (aheadMs) => {
    const refresh = startCrawler()
    await clock.pass(aheadMs)
    startReader()
    refresh(1)
    await clock.pass(600)
    refresh(2)
    await clock.pass(4_000)
    refresh(3)
    await clock.pass(2_000)
    expect(reports).toEqual([1, 2, 3])
  },
)

it('goes on with a crawler that has started again', async () => {
  const first = startCrawler()
  startReader()
  await clock.pass(2_000)
  first(1, 2, 3)
  await clock.pass(2_000)
  const second = startCrawler()
  second(4)
  await clock.pass(2_000)
  second(5)
  await clock.pass(2_000)
  expect(reports).toEqual([1, 2, 3, 4, 5])
})

it('is silent and costs nothing while nobody listens', async () => {
  const refresh = startCrawler()
  startReader()
  await clock.pass(2_000)
  isWanted = false
  await clock.pass(30_000)
  const before = await store.state(REFRESH_REPORTS)
  refresh(1, 2)
  await clock.pass(12_000)
  expect(await store.state(REFRESH_REPORTS)).toEqual(before)
  isWanted = true
  await clock.pass(2_000)
  refresh(3)
  await clock.pass(3_000)
  expect(reports).toEqual([3])
})
