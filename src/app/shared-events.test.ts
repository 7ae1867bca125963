import { beforeEach, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../test/support/virtual-clock.ts'
import type { EventHub } from '../api/events.ts'
import { createNotifier, type Notifier } from '../buffer/notifier.ts'
import { createMemoryJobBoard } from '../cluster/memory/job-board.ts'
import type { MemberState, NamedState } from '../store/node-state.ts'
import { type SharedEvents, shareEvents } from './shared-events.ts'

const ANN = 7

let clock: VirtualClock
let saved: Map<string, string>
let isStoreGone: boolean
let end: AbortController
let notifier: Notifier

beforeEach(() => {
  clock = virtualClock(1_000_000)
  saved = new Map()
  isStoreGone = false
  end = new AbortController()
  notifier = createNotifier(clock)
  return () => end.abort()
})

/** States of members over one database. */
const storeOf = (member: string) => ({
  async saveState<Value>(state: NamedState<Value>, value: Value): Promise<void> {
    if (isStoreGone) throw new Error('gone')
    saved.set(member, state.write(value))
  },
  async states<Value>(state: NamedState<Value>): Promise<readonly MemberState<Value>[]> {
    return [...saved].map(([name, text]) => ({ value: state.read(text) ?? state.initial, isOwn: name === member }))
  },
})

interface Api extends SharedEvents {
  readonly told: readonly string[]
}

function startApi(member: string, board = createMemoryJobBoard(() => clock.now()), by = notifier): Api {
  const told: string[] = []
  const hub: EventHub = {
    tell: (event, onlyTo) =>
      void told.push(`${event.kind}${event.kind === 'job' ? ` ${JSON.stringify(event.job)} to ${onlyTo}` : ''}`),
    listeners: 1,
    listen: () => {},
    review: async () => void told.push('review'),
    close: () => {},
  }
  const shared = shareEvents({ data: { store: storeOf(member), notifier: by }, jobs: board, hub })
  const run = async () => {
    while (!end.signal.aborted) {
      await shared.layer.run(end.signal, () => {}).catch(() => {})
      await clock.sleep(1_000, end.signal)
    }
  }
  void run()
  return { ...shared, told }
}

it('are told at both, once, and soon where the notification comes through', async () => {
  const [here, there] = [startApi('a'), startApi('b')]
  await clock.pass(0)
  here.hub.tell({ kind: 'queries' })
  await clock.pass(0)
  expect([here.told, there.told]).toEqual([['queries'], ['queries']])
  there.hub.tell({ kind: 'queries' })
  await there.hub.review()
  await clock.pass(5_000)
  expect(here.told).toEqual(['queries', 'queries', 'review'])
  expect(there.told).toEqual(['queries', 'queries', 'review'])
})

it('come a second later where every notification is lost', async () => {
  const here = startApi('a')
  const there = startApi('b', undefined, createNotifier(clock))
  await clock.pass(0)
  here.hub.tell({ kind: 'queries' })
  await clock.pass(1_000)
  expect(there.told).toEqual(['queries'])
})

it('come after the store was away, and one that starts later is not told of what was before', async () => {
  const [here, there] = [startApi('a'), startApi('b')]
  await clock.pass(0)
  isStoreGone = true
  here.hub.tell({ kind: 'queries' })
  await clock.pass(3_000)
  expect(there.told).toEqual([])
  isStoreGone = false
  await clock.pass(3_000)
  expect(there.told).toEqual(['queries'])
  const late = startApi('c')
  await clock.pass(3_000)
  expect(late.told).toEqual([])
})

it('of jobs come when they can be found, to their user, as they are then', async () => {
  const board = createMemoryJobBoard(() => clock.now())
  const [here, there] = [startApi('a', board), startApi('b', board)]
  await clock.pass(0)
  const document = { done: 1 }
  const job = { id: 'x', userId: ANN, isOver: false, document }
  for (let second = 0; second < 3; second++) {
    await here.jobs.post(job)
    await clock.pass(1_000)
  }
  await here.jobs.post({ ...job, isOver: true, document: { done: 2 } })
  await clock.pass(1_000)
  expect(there.told).toEqual(['job {"done":1} to 7', 'job {"done":2} to 7'])
})

it('about refreshes and alarms stay here: the others learn of them by themselves', async () => {
  const [here, there] = [startApi('a'), startApi('b')]
  await clock.pass(0)
  here.hub.tell({ kind: 'alarms' })
  here.hub.tell({ kind: 'items', count: 1, sourceIds: [1] })
  await clock.pass(3_000)
  expect([here.told, there.told]).toEqual([['alarms', 'items'], []])
})
