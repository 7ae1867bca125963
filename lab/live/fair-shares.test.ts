import { describe, expect, it } from 'vitest'
import { findPayers } from '../../src/app/services/payers.ts'
import { feedOrigins } from '../../src/app/services/queries.ts'
import { DAY_MS, HOUR_MS, SECOND_MS, type SourceId, type UserId } from '../../src/model/index.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { Store } from '../../src/store/store.ts'
import { poissonTimes } from '../simulator/poisson.ts'
import { sourceRandom } from '../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { documentFetcher, feedUrl } from './feed-documents.ts'
import { measureRefreshes } from './live-measures.ts'
import { runLive } from './run-live.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = Date.UTC(2026, 0, 5)
const END = START + 3 * DAY_MS
const MEASURED_FROM = START + DAY_MS
const MEASURED_HOURS = (END - MEASURED_FROM) / HOUR_MS
const OTHERS = 3
const SOURCES = 20
const PER_HOUR = 80

/** What one member follows: rates per day, and an interval of its own where it wants one. */
interface Member {
  readonly perDay: readonly number[]
  readonly intervalMs: number | null
}

const greedy: Member = { perDay: Array.from({ length: 10 }, () => 12), intervalMs: SECOND_MS }
const modest = (sources = SOURCES): Member => ({
  perDay: Array.from({ length: sources }, (_, index) => 2 * 24 ** (index / sources)),
  intervalMs: null,
})

/** The same member publishes the same in every world. */
function worldOf(members: readonly Member[]): SimWorld & { readonly memberOf: readonly number[] } {
  const memberOf = members.flatMap(({ perDay }, member) => perDay.map(() => member))
  const sources = members.flatMap(({ perDay }, member) => {
    const random = sourceRandom(5, member)
    return perDay.map((rate) => poissonTimes(rate / DAY_MS, START - 5 * DAY_MS, END, random))
  })
  const onSeconds = (times: Float64Array) => times.map((at) => Math.floor(at / SECOND_MS) * SECOND_MS)
  return {
    startMs: START,
    endMs: END,
    memberOf,
    sources: sources.map((times, i) => simSource(i + 1, onSeconds(times), 20)),
  }
}

/** A user for each member, who follows its sources; and an owner, who has none and takes nothing. */
async function addMembers(store: Store, world: ReturnType<typeof worldOf>): Promise<readonly UserId[]> {
  const account = { passwordHash: null, invitation: null }
  await store.addUser({ ...account, name: 'owner', role: 'owner' }, START)
  const users: UserId[] = []
  for (const member of new Set(world.memberOf)) {
    users[member] = (await store.addUser({ ...account, name: `member ${member}`, role: 'member' }, START))!.id
  }
  for (const [index, member] of world.memberOf.entries()) {
    await store.follow({ userId: users[member]!, feed: `/feeds/source/${index + 1}`, since: START })
  }
  return users
}

type Refresh = readonly [id: number, at: number]

interface Node {
  readonly store: Store
  readonly users: readonly UserId[]
  /** Of a member. */
  idsOf(member: number): readonly SourceId[]
}

type Change = (node: Node) => Promise<void>

/** The node in virtual time, with what changes at the end of each day. */
async function live(members: readonly Member[], perHour: number, changes: readonly Change[] = []) {
  const world = worldOf(members)
  const clock = new VirtualClock(START)
  const data = createMemoryStore({ clock })
  const users = await addMembers(data.store, world)
  const refreshes: Refresh[] = []
  const memberOf = (id: number) => world.memberOf[id - 1]!
  const idsOf = (member: number) => world.sources.flatMap(({ id }) => (memberOf(id) === member ? [id] : []))
  await runLive({
    clock,
    data,
    fetcher: documentFetcher(world.sources, clock),
    urls: world.sources.map((_, index) => feedUrl(index)),
    settingsOf: (index) => ({ intervalMs: members[world.memberOf[index]!]!.intervalMs }),
    payers: findPayers(data.store, () => feedOrigins(data.store)),
    endMs: END,
    seed: 1,
    flags: { budget: `${perHour}/h` },
    onRefresh: (id, at) => refreshes.push([id, at]),
    at: changes.map((change, day) => ({
      ms: START + (day + 1) * DAY_MS,
      action: () => change({ store: data.store, users, idsOf }),
    })),
  })
  return { world, refreshes, memberOf }
}

function measureMember({ world, refreshes, memberOf }: Awaited<ReturnType<typeof live>>, member: number) {
  const sources = world.sources.filter(({ id }) => memberOf(id) === member)
  const own = refreshes.filter(([id]) => memberOf(id) === member)
  return measureRefreshes({ ...world, sources }, own, MEASURED_FROM)
}

describe('one greedy member of four', () => {
  it('has ten sources of interval 1 s: the others wait as long as with a quarter of the budget', async () => {
    const others = Array.from({ length: OTHERS }, () => modest())
    const together = await live([...others, greedy], PER_HOUR)
    const spent = together.refreshes.filter(([, at]) => at >= MEASURED_FROM).length
    expect(spent / (PER_HOUR * MEASURED_HOURS)).toBeGreaterThan(0.97)
    for (const [member, one] of others.entries()) {
      // The members before it have nothing: the sources are the same, and so is what they publish.
      const alone = await live([...others.slice(0, member).map(() => modest(0)), one], PER_HOUR / (OTHERS + 1))
      const [here, there] = [measureMember(together, member), measureMember(alone, member)]
      expect(here.meanDelayMs / there.meanDelayMs, `member ${member}`).toBeLessThan(1.1)
      expect(here.requests / there.requests, `member ${member}`).toBeGreaterThan(0.95)
    }
    expect(measureMember(together, OTHERS).requests / (PER_HOUR * MEASURED_HOURS)).toBeGreaterThan(0.24)
  })

  it('leaves its share to the others when it goes, and has it again when it comes back', async () => {
    const others = [modest(), modest()]
    const { refreshes, memberOf } = await live([...others, greedy], PER_HOUR, [
      async ({ store, users, idsOf }) => {
        await store.removeUser(users[2]!)
        for (const id of idsOf(2)) await store.updateSource(id, { paused: true })
      },
      async ({ store, idsOf }) => {
        // Beside its old sources it follows those of another, too.
        const { id: eve } = (await store.addUser(
          { name: 'eve', role: 'member', passwordHash: null, invitation: null },
          START,
        ))!
        for (const id of idsOf(2)) await store.updateSource(id, { paused: false })
        for (const id of [...idsOf(2), ...idsOf(0)]) {
          await store.follow({ userId: eve, feed: `/feeds/source/${id}`, since: START })
        }
      },
    ])
    const share = (day: number, member: number) => {
      // Prices need some hours to follow.
      const from = START + day * DAY_MS + DAY_MS / 4
      const ofDay = refreshes.filter(([, at]) => at >= from && at < START + (day + 1) * DAY_MS)
      return ofDay.filter(([id]) => memberOf(id) === member).length / (18 * PER_HOUR)
    }
    const shares = [0, 1, 2].map((day) => [0, 1, 2].map((member) => share(day, member)))
    const near = (value: number, expected: number) =>
      expect(Math.abs(value - expected), JSON.stringify(shares)).toBeLessThan(0.05)
    for (const [member, expected] of [1 / 3, 1 / 3, 1 / 3].entries()) near(shares[0]![member]!, expected)
    for (const [member, expected] of [1 / 2, 1 / 2, 0].entries()) near(shares[1]![member]!, expected)
    // A source that two follow does better for it, none does worse.
    expect(shares[2]![0]).toBeGreaterThan(1 / 3 - 0.03)
    near(shares[2]![1]!, 1 / 3)
    expect(shares[2]!.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.97)
  })
})
