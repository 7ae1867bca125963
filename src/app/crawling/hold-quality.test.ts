import { expect, it } from 'vitest'
import { settingsFor } from '../../../test/support/published-items.ts'
import { handClock } from '../../../test/support/publishing.ts'
import { DAY_MS, MINUTE_MS } from '../../model/index.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import { holdQuality } from './hold-quality.ts'
import { strategyFor } from './strategy.ts'
import { wishStandings } from './wish-shares.ts'

it('a wish is seen within a minute, and gone when it is taken back', async () => {
  const hand = handClock()
  const stop = new AbortController()
  const { store } = createMemoryStore({ clock: hand })
  const owner = await store.addUser({ name: 'ann', role: 'owner', passwordHash: null, invitation: null }, 1)
  await store.addSources([settingsFor('https://a.example/feed')], 1)
  const wish = { completeness: 0.9, meanDelayMs: null }
  const parts: number[] = []
  const rates: number[] = []
  let minute = 0
  const clock = {
    ...hand,
    // Each sleep is a minute in which somebody may change something.
    async sleep(ms: number) {
      hand.pass(ms)
      rates.push((await wishStandings(store)).size)
      minute += ms / MINUTE_MS
      if (minute === 2) await store.setWish(owner!.id, wish)
      if (minute === 4) await store.setWish(owner!.id, null)
      if (minute === 6) stop.abort()
    },
  }
  const scheduler = {
    beliefs: () => [],
    beliefsOf: () => [],
    size: 1,
    setBudget: () => {},
    setParts: (shares: ReadonlyMap<number, number>) => void parts.push(shares.size),
  }
  const owns = { owner: owner!.id, of: () => [owner!.id] }
  const deps = { scheduler, store, clock, logger: silentLogger, wish: null, most: { requests: 100, perMs: DAY_MS } }
  const strategy = strategyFor({ strategy: 'two-steps', estimator: 'gamma' })
  await holdQuality({ ...deps, strategy, payers: async () => owns, shares: async () => new Map() }, stop.signal)
  expect(rates).toEqual([0, 0, 1, 1, 0, 0])
  // Evenly, with a wish, evenly again; and nothing is computed while nothing changes.
  expect(parts).toEqual([0, 1, 0])
})

it.each([
  ['of this process, where it is alone', 'own', ['own']],
  ['of all, where this process decides about it', 'common', ['common']],
  ['of nobody, where another process does', 'elsewhere', []],
] as const)('the budget is found %s', async (_text, whose, expected) => {
  const hand = handClock()
  const stop = new AbortController()
  const { store } = createMemoryStore({ clock: hand })
  const asked: string[] = []
  const holder = (name: string) => ({
    beliefs: () => {
      asked.push(name)
      return []
    },
    size: 1,
    setBudget: () => {},
  })
  const clock = {
    ...hand,
    async sleep(ms: number) {
      hand.pass(ms)
      if (hand.now() >= started + 30 * MINUTE_MS) stop.abort()
    },
  }
  const started = hand.now()
  const scheduler = { ...holder('own'), beliefsOf: () => [], setParts: () => {} }
  const most = { requests: 100, perMs: DAY_MS }
  const common = whose === 'own' ? {} : { commonBudget: () => (whose === 'common' ? holder('common') : null) }
  const deps = { scheduler, store, clock, logger: silentLogger, wish: { completeness: 0.9 }, most, ...common }
  const strategy = strategyFor({ strategy: 'two-steps', estimator: 'gamma' })
  const payers = async () => ({ owner: 1, of: () => [1] })
  await holdQuality({ ...deps, strategy, payers, shares: async () => new Map() }, stop.signal)
  expect(asked).toEqual(expected)
})
