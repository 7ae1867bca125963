import { describe, expect, it } from 'vitest'
import type { ClusterState } from '../../../src/api/operations/wire.ts'
import { loadPageWords } from '../../language/current.ts'
import { verdictOf } from './verdict.ts'

await loadPageWords()

const AT = Date.UTC(2026, 0, 5)
const member = (name: string, lastSeenAt = AT) => ({
  id: name,
  name,
  roles: ['crawler'],
  version: '1.0.0',
  startedAt: AT - 60_000,
  lastSeenAt,
  shards: {},
  granted: 0,
})
const role = (name: string, shards: number, owned: number) => ({ role: name, shards, owned, handOvers: 0 })
const cluster = (more: Partial<ClusterState>): ClusterState => ({
  id: 'c',
  at: AT,
  members: [member('a 1')],
  roles: [role('crawler', 1_024, 1_024), role('controller', 1, 1)],
  price: null,
  budget: null,
  readers: [],
  durability: { isAtRisk: false, words: 'one server', remedy: null },
  spending: [],
  ...more,
})

describe('the first sentences about a cluster', () => {
  it('say that all is well', () => {
    const { isWell, words } = verdictOf(cluster({}))
    expect([isWell, words]).toEqual([
      true,
      ['All well: 1 member is at work, and everything that has to be done has an owner.'],
    ])
  })

  it.each<[string, Partial<ClusterState>, string]>([
    ['some shards are nobody’s', { roles: [role('crawler', 1_024, 1_000)] }, '24 shards of 1,024 wait for a crawler.'],
    ['a role is missing', { roles: [role('matcher', 1, 0)] }, 'No matcher is at work: start one with --role matcher.'],
    [
      'nobody moves the price',
      { roles: [role('controller', 1, 0)] },
      'Nobody moves the price: it follows the last day until a crawler takes over.',
    ],
    [
      'a member is silent',
      { members: [member('a 1'), member('b 2', AT - 120_000)] },
      'b 2 has not been heard of for 2\u00a0min; others have taken over its work.',
    ],
    [
      'a reader is far behind',
      { readers: [{ name: 'queries', owner: 'a', backlog: 5_000, isExpired: false }] },
      'The reader “queries” is 5,000 items behind.',
    ],
    [
      'commits may be lost',
      { durability: { isAtRisk: true, words: 'no commit waits for a standby (b)', remedy: 'set it' } },
      'No commit waits for a standby (b); set it.',
    ],
  ])('say that %s', (_name, more, sentence) => {
    const { isWell, words } = verdictOf(cluster(more))
    expect([isWell, words]).toEqual([false, ['1 member is at work, but not all is well.', sentence]])
  })

  it('pass over a reader that is not waited for any more', () => {
    const readers = [{ name: 'gone', owner: 'a', backlog: 5_000, isExpired: true }]
    expect(verdictOf(cluster({ readers })).isWell).toBe(true)
  })
})
