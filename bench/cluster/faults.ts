import { pick } from '../../lab/worlds/keyed-random.ts'
import type { DurationMs, Random } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { delayCommits, untilAllCommitted } from './breaks.ts'
import type { ClusterProcess } from './members.ts'
import type { Fault } from './options.ts'
import { allShards, memberIdOf, ownedShards, untilOwned } from './ownership.ts'
import type { Stage } from './stage.ts'

/** What was done, and how long shards were without an owner. */
export interface FaultReport {
  readonly fault: Fault
  /** A member; null: the database. */
  readonly who: string | null
  readonly atMs: DurationMs
  /** Shards that lost their owner. */
  readonly shards: number
  /** Until all of them had one again; null: there were none. */
  readonly ownedAfterMs: DurationMs | null
  /** What the machine took away meanwhile. */
  readonly lostMs: DurationMs
  /** When a member went on that stood still; null: it did not. */
  readonly continuedMs: DurationMs | null
}

const START_ATTEMPTS = 20
const LONGEST_PAUSE_MS = 2_000

/** One fault after the other, at random moments, until the time is over and each kind was there once. */
export async function runFaults(stage: Stage): Promise<readonly FaultReport[]> {
  const { options, random, say } = stage
  const untilMs = systemClock.monotonicMs() + options.seconds * 1_000
  const reports: FaultReport[] = []
  for (const fault of faultsInTurn(options.faults, random)) {
    const isOver = systemClock.monotonicMs() >= untilMs
    if (isOver && options.faults.every((kind) => reports.some((one) => one.fault === kind))) break
    // A standby becomes a primary once.
    if (fault === 'failover' && reports.some((one) => one.fault === fault)) continue
    await systemClock.sleep(random() * LONGEST_PAUSE_MS)
    const isFirst = reports.every((one) => one.fault !== fault)
    const report = await ACTIONS[fault](stage, isFirst)
    reports.push(report)
    say(`${fault} ${report.who ?? ''}: ${report.shards} shards owned again after ${seconds(report.ownedAfterMs)}`)
  }
  if (options.faults.length === 0) await systemClock.sleep(untilMs - systemClock.monotonicMs())
  return reports
}

/** Each kind once in another order, and again. */
function* faultsInTurn(faults: readonly Fault[], random: Random): Generator<Fault> {
  while (faults.length > 0) {
    const left = [...faults]
    while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1)
  }
}

const seconds = (ms: DurationMs | null) => (ms === null ? 'none' : `${(ms / 1_000).toFixed(1)} s`)

/** Every other time a crawler, for they have most to lose; the first time always. */
function pickMember(
  { members, random }: Stage,
  isFirst: boolean,
  mayBe: (member: ClusterProcess) => boolean,
): ClusterProcess {
  const possible = members.filter(mayBe)
  const crawlers = possible.filter(({ roles }) => roles.includes('crawler'))
  return pick(isFirst || random() < 0.5 ? crawlers : possible, random)
}

const ACTIONS: Readonly<Record<Fault, (stage: Stage, isFirst: boolean) => Promise<FaultReport>>> = {
  kill: async (stage, isFirst) => {
    const member = pickMember(stage, isFirst, () => true)
    const restMs = stage.random() * 2 * stage.options.leaseMs
    return loseMember(stage, 'kill', member, {
      begin: () => member.kill(),
      end: async () => {
        await systemClock.sleep(restMs)
        await startAgain(member)
      },
    })
  },
  stop: async (stage, isFirst) => {
    const member = pickMember(stage, isFirst, () => true)
    let continuedMs = 0
    const report = await loseMember(stage, 'stop', member, {
      begin: async () => member.signal('SIGSTOP'),
      end: async () => {
        continuedMs = systemClock.monotonicMs()
        member.signal('SIGCONT')
      },
    })
    return { ...report, continuedMs }
  },
  partition: async (stage, isFirst) => {
    const member = pickMember(stage, isFirst, (one) => (stage.doorOf.get(one)?.cut ?? null) !== null)
    const door = stage.doorOf.get(member)
    return loseMember(stage, 'partition', member, {
      begin: async () => void (await door?.cut?.()),
      end: async () => void (await door?.heal()),
    })
  },
  postgres: (stage) => loseDatabase(stage, 'postgres', () => stage.database.crash()),
  failover: (stage) => loseDatabase(stage, 'failover', () => stage.database.failOver()),
}

interface Absence {
  begin(): Promise<void>
  end(): Promise<void>
}

/** For longer than its lease, and at least until others have what it had. */
async function loseMember(
  stage: Stage,
  fault: Fault,
  member: ClusterProcess,
  { begin, end }: Absence,
): Promise<FaultReport> {
  const { database, options, random, load } = stage
  const id = await memberIdOf(database, member.pid)
  const shards = id === null ? [] : await ownedShards(database, id)
  const isDelayed = options.break === 'fence' && member.roles.includes('crawler') && id !== null
  if (isDelayed) await delayCommits(database, id)
  const atMs = systemClock.monotonicMs()
  await begin()
  const absent = systemClock.sleep(options.leaseMs * (1.2 + random()))
  const ownedAfterMs = shards.length === 0 ? null : await untilOwned(database, shards, id)
  const lostMs = load.lostSince(atMs)
  await absent
  if (isDelayed) await untilAllCommitted(database)
  await end()
  return { fault, who: member.name, atMs, shards: shards.length, ownedAfterMs, lostMs, continuedMs: null }
}

/** From when it can be asked again: until then nobody can own anything. */
async function loseDatabase(stage: Stage, fault: Fault, lose: () => Promise<void>): Promise<FaultReport> {
  const { database, load } = stage
  const shards = await allShards(database)
  const atMs = systemClock.monotonicMs()
  await lose()
  const againMs = systemClock.monotonicMs()
  const ownedAfterMs = await untilOwned(database, shards, null)
  return {
    fault,
    who: null,
    atMs,
    shards: shards.length,
    ownedAfterMs,
    lostMs: load.lostSince(againMs),
    continuedMs: null,
  }
}

async function startAgain(member: ClusterProcess): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await member.start()
    } catch (error) {
      if (attempt >= START_ATTEMPTS) throw error
      await systemClock.sleep(500)
    }
  }
}
