import { beforeEach, expect, it } from 'vitest'
import { type VirtualClock, virtualClock } from '../../test/support/virtual-clock.ts'
import { type Alarms, createAlarms } from '../runtime/alarms.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import type { RoleName } from './data/role-names.ts'
import { type MemberAlarms, withOthers } from './member-alarms.ts'
import { createWires } from './roles/wires.ts'
import { shareAlarms } from './shared-alarms.ts'

let clock: VirtualClock
let store: Store
let writes: number

beforeEach(() => {
  clock = virtualClock(1_000_000)
  writes = 0
  const opened = createMemoryStore({ clock }).store
  store = {
    ...opened,
    saveState: (state, value) => {
      writes += 1
      return opened.saveState(state, value)
    },
  }
})

interface Process {
  readonly raised: Alarms
  shown(): readonly string[]
  /** How often those who look were told that something has changed. */
  told(): number
  kill(): void
  stop(): Promise<void>
}

function start(...roles: RoleName[]): Process {
  const wires = createWires()
  const raised = createAlarms({ clock, onChange: () => wires.alarms.tell() })
  let others: () => readonly MemberAlarms[] = () => []
  let told = 0
  let isKilled = false
  wires.alarms.listen(() => told++)
  const end = new AbortController()
  const health = { raised, watchOthers: (read: typeof others) => void (others = read) }
  const own: Pick<Store, 'states' | 'saveState'> = {
    states: (state) => store.states(state),
    saveState: async (state, value) => (isKilled ? undefined : store.saveState(state, value)),
  }
  const layers = shareAlarms({
    data: { store: own, cluster: null },
    clock,
    member: { name: roles.join() },
    roles: new Set(roles),
    health,
    wires,
  })
  const running = Promise.all(layers.map((layer) => layer.run(end.signal, () => {})))
  return {
    raised,
    shown: () => withOthers(raised.list(), others()).map(({ code, detail }) => `${code} ${detail}`),
    told: () => told,
    kill() {
      isKilled = true
    },
    async stop() {
      end.abort()
      await running
    },
  }
}

it('of a crawler are shown by an API in another process, until they are over', async () => {
  const [crawler, api] = [start('crawler'), start('api')]
  crawler.raised.raise('DISK_FULL', '/data')
  await clock.pass(8_000)
  expect(api.shown()).toEqual(['DISK_FULL crawler: /data'])
  expect(api.told()).toBe(1)
  await clock.pass(600_000)
  expect(api.shown()).toHaveLength(1)
  crawler.raised.clear('DISK_FULL')
  await clock.pass(3_000)
  expect([api.shown(), api.told()]).toEqual([[], 2])
  await Promise.all([crawler.stop(), api.stop()])
})

it('of a process that was killed are gone within half a minute, of one that was stopped at once', async () => {
  const [crawler, matcher, api] = [start('crawler'), start('matcher'), start('api')]
  crawler.raised.raise('DISK_FULL', 'a')
  matcher.raised.raise('LAYER_FAILING', 'queries')
  await clock.pass(8_000)
  expect(api.shown()).toHaveLength(2)
  await matcher.stop()
  await clock.pass(2_000)
  expect(api.shown()).toEqual(['DISK_FULL crawler: a'])
  crawler.kill()
  await clock.pass(28_000)
  expect(api.shown()).toEqual([])
  const later = start('api')
  await clock.pass(30_000)
  expect(later.shown()).toEqual([])
  await Promise.all([crawler.stop(), api.stop(), later.stop()])
})

it('of the same kind are one, with what each says', async () => {
  const [crawler, api] = [start('crawler'), start('api', 'matcher')]
  crawler.raised.raise('LAYER_FAILING', 'crawling')
  api.raised.raise('LAYER_FAILING', 'queries')
  await clock.pass(8_000)
  expect(api.shown()).toEqual(['LAYER_FAILING queries; crawler: crawling'])
  await Promise.all([crawler.stop(), api.stop()])
})

it('cost nothing where there are none, nor in a whole node over its own data', async () => {
  const [crawler, api] = [start('crawler'), start('api')]
  const whole = start('crawler', 'matcher', 'publisher', 'api')
  whole.raised.raise('DISK_FULL', '/data')
  await clock.pass(60_000)
  expect(writes).toBe(0)
  await Promise.all([crawler.stop(), api.stop(), whole.stop()])
})
