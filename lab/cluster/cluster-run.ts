import { Controller } from '../../src/cluster/controller.ts'
import { longestSilence, REPORT_GRACE_MS } from '../../src/cluster/hold-price.ts'
import { MemoryGrants } from '../../src/cluster/memory/grants.ts'
import { MemoryPrices } from '../../src/cluster/memory/prices.ts'
import { READ_EVERY_MS } from '../../src/cluster/report-spending.ts'
import type { InstantMs } from '../../src/model/index.ts'
import { beginSources } from '../simulator/known-sources.ts'
import type { Tally } from '../simulator/tally.ts'
import { countPublishedBy, type SimSource } from '../simulator/world.ts'
import { ClusterMember } from './cluster-member.ts'
import type { ClusterRun } from './cluster-setup.ts'
import { type HandOverCounts, HandOvers } from './hand-overs.ts'

export interface ClusterFigures {
  /** When each request was made, ascending. */
  readonly requests: Float64Array
  readonly draws: number
  readonly handOvers: HandOverCounts
  /** Of the columns of all schedulers, at the end. */
  readonly schedulerBytes: number
}

/** The schedulers of several crawlers with one budget and one price, in virtual time, with simulated sources. */
export function runCluster(options: ClusterRun, tally: Pick<Tally, 'refreshed' | 'ended'>): ClusterFigures {
  const { world, terms } = options
  const clock = { at: world.startMs, now: () => clock.at }
  const grants = new MemoryGrants(clock)
  grants.setTermsNow(terms)
  const board = new MemoryPrices(clock)
  const requests: number[] = []
  const handOvers = new HandOvers(options, clock, (id) => {
    const watch = {
      refreshed(source: SimSource, at: InstantMs, sight: Parameters<Tally['refreshed']>[2]) {
        requests.push(at)
        handOvers.noteRequest(source, id, at)
        tally.refreshed(source, at, sight)
      },
    }
    return new ClusterMember({ ...options, id, clock, grants, board, watch })
  })
  handOvers.begin(beginSources(world, options.knownOf))
  const control = new ControlSteps(options, clock, grants, board, () => {
    for (const member of handOvers.members) member.readSoon()
  })
  while (clock.at < world.endMs) {
    if (handOvers.wakeAt <= clock.at) handOvers.act()
    let next = Math.min(control.wakeAt, handOvers.wakeAt)
    for (const member of handOvers.members) {
      if (member.wakeAt <= clock.at) member.act()
      next = Math.min(next, member.wakeAt)
    }
    if (control.wakeAt <= clock.at) {
      control.act()
      for (const member of handOvers.members) next = Math.min(next, member.wakeAt)
      next = Math.min(next, control.wakeAt)
    }
    clock.at = Math.max(clock.at + 1, next)
  }
  const { members, former, counts } = handOvers
  for (const { source, run } of handOvers.everySource()) {
    tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
  }
  return {
    requests: Float64Array.from(requests),
    draws: [...members, ...former].reduce((sum, { draws }) => sum + draws, 0),
    handOvers: counts,
    schedulerBytes: members.reduce((sum, { schedulerBytes }) => sum + schedulerBytes, 0),
  }
}

/** What the layer of the controller does (hold-price.ts), in virtual time. */
class ControlSteps {
  private controller: Controller | null = null
  private token = 0
  private beganAt: InstantMs
  wakeAt: InstantMs

  constructor(
    private readonly options: ClusterRun,
    private readonly clock: { now(): InstantMs },
    private readonly grants: MemoryGrants,
    private readonly board: MemoryPrices,
    private readonly onPrice: () => void,
  ) {
    this.beganAt = clock.now()
    this.wakeAt = this.beganAt
  }

  act(): void {
    const now = this.clock.now()
    if (this.options.isControllerAway?.(now)) {
      this.controller = null
      this.wakeAt = now + READ_EVERY_MS
      return
    }
    const standing = this.grants.standingNow()
    if (standing === null) return
    if (this.controller === null) {
      const { newStrategy, terms } = this.options
      this.token++
      this.controller = new Controller({ strategy: newStrategy(), terms, posted: this.board.readNow(), now })
    } else {
      const reports = this.board.reportsNow(longestSilence(now - this.beganAt))
      this.board.setPriceNow(this.controller.endPeriod(now, standing, reports), this.token)
      this.onPrice()
    }
    this.beganAt = now
    this.wakeAt = this.controller.periodEndsAt + REPORT_GRACE_MS
  }
}
