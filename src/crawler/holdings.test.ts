import { expect, it } from 'vitest'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { shardOf } from '../store/shards.ts'
import { Holdings } from './holdings.ts'
import type { Territory } from './territory.ts'

const OF = 16
const URL_OF_A = 'https://a.example/feed'
const SHARD = shardOf(URL_OF_A, OF)

/** All that matters here: which shards it has, and which of them may be acted on. */
function territory() {
  const tokens = new Map([[SHARD, 1]])
  const invalid = new Set<number>()
  const subject: Territory = {
    shards: OF,
    restMs: 1_000,
    tokens: () => tokens,
    isValid: (shard, token) => tokens.get(shard) === token && !invalid.has(shard),
    lose: () => {},
    onChange: () => () => {},
    onLeave: () => () => {},
  }
  return { subject, tokens, invalid }
}

async function opened() {
  const clock = virtualClock()
  const given = territory()
  const holdings = new Holdings(given.subject, clock)
  holdings.begin(holdings.arrived())
  holdings.assign(7, URL_OF_A)
  const holding = holdings.of(7)
  if (holding === undefined) throw new Error('it has no shard')
  return { ...given, clock, holdings, holding }
}

it('asks nothing of a shard that has just come until a host had its distance', async () => {
  const { clock, holdings, holding } = await opened()
  expect(holdings.mayStart(holding)).toBe(false)
  await clock.pass(999)
  expect(holdings.mayStart(holding)).toBe(false)
  await clock.pass(1)
  expect(holdings.mayStart(holding)).toBe(true)
  holding.isLeaving = true
  expect(holdings.mayStart(holding)).toBe(false)
})

it('calls off what is under way where the lease is over, and goes on when it is renewed', async () => {
  const { clock, holdings, holding, invalid } = await opened()
  await clock.pass(1_000)
  const { signal } = holding.ending
  holdings.callOffInvalid()
  expect(signal.aborted).toBe(false)
  invalid.add(SHARD)
  holdings.callOffInvalid()
  expect([signal.aborted, holdings.mayStart(holding)]).toEqual([true, false])
  invalid.clear()
  expect([holding.ending.signal.aborted, holdings.mayStart(holding)]).toEqual([false, true])
})

it('takes a shard under another token for one that went and came', async () => {
  const { holdings, holding, tokens } = await opened()
  expect([holdings.arrived().size, holdings.departed()]).toEqual([0, []])
  tokens.set(SHARD, 2)
  expect([[...holdings.arrived()], holdings.departed()]).toEqual([[[SHARD, 2]], [holding]])
  holdings.end(holding)
  expect([holding.ending.signal.aborted, holdings.of(7)]).toEqual([true, undefined])
})

it('does not begin what went while its sources were read', async () => {
  const { subject, tokens } = territory()
  const holdings = new Holdings(subject, virtualClock())
  const arrived = new Map(holdings.arrived())
  tokens.clear()
  holdings.begin(arrived)
  expect(holdings.assign(7, URL_OF_A)).toBe(false)
})

it('follows a source to the shard of its new address', async () => {
  const { holdings, holding } = await opened()
  const elsewhere = ['b', 'c', 'd', 'e']
    .map((name) => `https://${name}.example/`)
    .find((url) => shardOf(url, OF) !== SHARD)
  expect([holdings.isOf(holding, URL_OF_A), holdings.isOf(holding, elsewhere ?? '')]).toEqual([true, false])
  expect(holdings.assign(7, elsewhere ?? '')).toBe(false)
  expect([holdings.of(7), holding.sources.size]).toEqual([undefined, 0])
})
