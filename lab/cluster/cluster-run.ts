import { Controller } from '../../src/cluster/controller.ts'
import { longestSilence, REPORT_GRACE_MS } from '../../src/cluster/hold-price.ts'
import { MemoryGrants } from '../../src/cluster/memory/grants.ts'
import { MemoryPrices } from '../../src/cluster/memory/prices.ts'
import { READ_EVERY_MS } from '../../src/cluster/report-spending.ts'
import type { InstantMs } from '../../src/model/index.ts'
import type { Tally } from '../simulator/tally.ts'
import { countPublishedBy, type SimSource } from '../simulator/world.ts'
import { ClusterMember } from './cluster-member.ts'
import type { ClusterRun } from './cluster-setup.ts'

export interface ClusterFigures {
  /** When each request was made, ascending. */
  readonly requests: Float64Array
  readonly draws: number
}

/** The schedulers of several crawlers with one budget and one price, in virtual time, with simulated sources. */
export function runCluster(options: ClusterRun, tally: Pick<Tally, 'refreshed' | 'ended'>): ClusterFigures {
  const { world, terms, members: count, memberOf } = options
  const clock = { at: world.startMs, now: () => clock.at }
  const grants = new MemoryGrants(clock)
  grants.setTermsNow(terms)
  const board = new MemoryPrices(clock)
  const requests: number[] = []
  const watch = {
    refreshed(source: SimSource, at: InstantMs, sight: Parameters<Tally['refreshed']>[2]) {
      requests.push(at)
      tally.refreshed(source, at, sight)
    },
  }
  const members = Array.from({ length: count }, (_, index) => {
    const sources = world.sources.filter((source) => memberOf(source) === index)
    return new ClusterMember({ ...options, id: `member ${index}`, sources, clock, grants, board, watch })
  })
  const control = new ControlSteps(options, clock, grants, board, () => {
    for (const member of members) member.readSoon()
  })
  while (clock.at < world.endMs) {
    for (const member of members) if (member.wakeAt <= clock.at) member.act()
    if (control.wakeAt <= clock.at) control.act()
    clock.at = Math.max(clock.at + 1, Math.min(control.wakeAt, ...members.map(({ wakeAt }) => wakeAt)))
  }
  for (const { runs } of members) {
    for (const { source, run } of runs.values()) {
      tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
    }
  }
  return { requests: Float64Array.from(requests), draws: members.reduce((sum, { draws }) => sum + draws, 0) }
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
