import type { InstantMs, Source, SourceId } from '../../model/index.ts'
import type { CoverPair } from '../../refresh/covers/pair.ts'
import { SiteCovers } from '../../refresh/covers/site-covers.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import { isDelta } from '../deltas.ts'
import { hostKey } from '../fetch/host-key.ts'
import type { SourceRefresh } from '../pipeline.ts'
import { type ChosenCover, chooseCovers, isCovered } from './choose-covers.ts'
import { shownItemsOf } from './marks.ts'
import { isPlainSource } from './plain-source.ts'

/** A source whose request shows others, now. */
export interface LiveCover {
  /** Of the bundle in the scheduler: negative. */
  readonly id: SourceId
  readonly cover: SourceId
  readonly site: SiteCovers
  /** Whether the items of each are known as its own there. */
  readonly members: ReadonlyMap<SourceId, boolean>
}

interface CoverKeeperDeps {
  readonly store: { source(id: SourceId): Promise<Source | null> }
  readonly scheduler: Pick<LiveScheduler, 'bundles' | 'has'>
  readonly clock: SteadyClock
  readonly logger: Logger
  /** Who may read what the one shows may read what the other shows. */
  readonly mayShow: (cover: SourceId, member: SourceId) => Promise<boolean>
  /** Of a new bundle. */
  readonly newId: () => SourceId
}

/** Some kilobytes each for three days, and for longer only where one shows another. */
const MOST_WATCHED = 2_000

/** Which sources show the items of others, as their documents teach it, and which of them are used for it. */
export class CoverKeeper {
  readonly #deps: CoverKeeperDeps
  readonly #hosts = new Map<SourceId, string>()
  readonly #sites = new Map<string, { readonly ids: Set<SourceId>; covers: SiteCovers | null }>()
  readonly #live = new Map<SourceId, LiveCover>()

  constructor(deps: CoverKeeperDeps) {
    this.#deps = deps
  }

  note(id: SourceId, url: string): void {
    const host = hostKey(url)
    if (this.#hosts.get(id) === host) return
    this.forget(id)
    const site = this.#sites.get(host) ?? { ids: new Set<SourceId>(), covers: null }
    site.ids.add(id)
    this.#hosts.set(id, host)
    this.#sites.set(host, site)
  }

  forget(id: SourceId): void {
    const host = this.#hosts.get(id)
    if (host === undefined) return
    for (const live of this.#live.values()) if (live.cover === id || live.members.has(id)) this.#drop(live)
    const site = this.#sites.get(host)
    site?.covers?.forget(id)
    site?.ids.delete(id)
    if (site?.ids.size === 0) this.#sites.delete(host)
    this.#hosts.delete(id)
  }

  /** The source behind a bundle; null: it is none of these. */
  sourceOf(bundle: SourceId): SourceId | null {
    return this.#live.get(bundle)?.cover ?? null
  }

  /** What the request of a source shows beside it; null: nothing. */
  ofSource(cover: SourceId): LiveCover | null {
    for (const live of this.#live.values()) if (live.cover === cover) return live
    return null
  }

  resume(pairs: readonly CoverPair[]): void {
    for (const pair of pairs) {
      const site = this.#siteOf(pair.member)
      if (site !== null && this.#hosts.get(pair.cover) === this.#hosts.get(pair.member)) {
        site.resume(pair, this.#deps.clock.now())
      }
    }
  }

  pairs(): readonly CoverPair[] {
    return [...this.#sites.values()].flatMap(({ covers }) => covers?.pairs() ?? [])
  }

  isKnown(id: SourceId): boolean {
    return this.#hosts.has(id)
  }

  /** A source was asked itself, and has answered or failed. */
  async look({ record, fetched, items }: SourceRefresh): Promise<void> {
    const { sourceId: id, observation, newItems } = record
    if (fetched.kind === 'failed' || observation === null) {
      // Its members are asked themselves from now on; once it answers again it is looked at whether it still shows them.
      const live = this.ofSource(id)
      if (live !== null) this.#drop(live)
      return
    }
    const site = this.#siteOf(id)
    if (site === null) return
    const isPart = fetched.kind === 'content' && isDelta(fetched)
    const document = items === undefined ? null : { items: shownItemsOf(items), isPart }
    const doubtful = site.look(id, document, newItems.length, observation.at)
    for (const member of [id, ...doubtful]) await this.#revise(member, site)
  }

  /** Who stands for whom, by all that is known now. */
  async compose(): Promise<void> {
    for (const { covers } of this.#sites.values()) if (covers !== null) await this.#composeSite(covers)
  }

  async #revise(member: SourceId, site: SiteCovers): Promise<void> {
    for (const live of this.#live.values()) {
      const isNamed = live.members.get(member)
      if (isNamed === undefined) continue
      const coverage = site.coverage(live.cover, member)
      if (coverage === null || !isCovered(coverage) || coverage.isNamed !== isNamed) return this.#composeSite(site)
      this.#deps.scheduler.bundles?.revise(member, coverage)
    }
  }

  async #composeSite(site: SiteCovers): Promise<void> {
    const { scheduler, clock } = this.#deps
    const { bundles } = scheduler
    if (bundles === undefined) return
    for (const live of this.#live.values()) if (!scheduler.has(live.id)) this.#live.delete(live.id)
    const present = [...this.#live.values()].filter((live) => live.site === site)
    const coveredNow = new Map(present.flatMap(({ cover, members }) => [...members.keys()].map((id) => [id, cover])))
    const rates = new Map(
      bundles.composable(this.#idsOf(site), clock.now()).map(({ id, ratePerHour }) => [id, ratePerHour]),
    )
    const chosen = await this.#permitted(chooseCovers(site, rates, coveredNow))
    for (const live of present) if (!chosen.some((one) => isSame(live, one))) this.#drop(live)
    for (const one of chosen) if (!present.some((live) => isSame(live, one))) this.#set(one, site, clock.now())
  }

  async #permitted(chosen: readonly ChosenCover[]): Promise<readonly ChosenCover[]> {
    const permitted: ChosenCover[] = []
    for (const { cover, covered } of chosen) {
      if (!(await this.#isPlain(cover))) continue
      const plain: ChosenCover['covered'][number][] = []
      for (const one of covered) {
        if ((await this.#isPlain(one.member)) && (await this.#deps.mayShow(cover, one.member))) plain.push(one)
      }
      if (plain.length > 0) permitted.push({ cover, covered: plain })
    }
    return permitted
  }

  async #isPlain(id: SourceId): Promise<boolean> {
    const source = await this.#deps.store.source(id)
    return source !== null && isPlainSource(source) && source.state.status === 'active'
  }

  #set({ cover, covered }: ChosenCover, site: SiteCovers, now: InstantMs): void {
    const { scheduler, newId, logger } = this.#deps
    const id = newId()
    const of = new Map(covered.map((one) => [one.member, one]))
    scheduler.bundles?.set({ id, windowSize: 1, members: [cover, ...of.keys()], cover: { id: cover, of } }, now)
    if (!scheduler.has(id)) return
    this.#live.set(id, { id, cover, site, members: new Map(covered.map(({ member, isNamed }) => [member, isNamed])) })
    logger.info({ sourceId: cover, sources: covered.length }, 'the request of a source shows others')
  }

  #drop({ id }: LiveCover): void {
    this.#live.delete(id)
    this.#deps.scheduler.bundles?.drop(id)
  }

  #idsOf(site: SiteCovers): Iterable<SourceId> {
    for (const { ids, covers } of this.#sites.values()) if (covers === site) return ids
    return []
  }

  /** null: it is alone on its host. */
  #siteOf(id: SourceId): SiteCovers | null {
    const site = this.#sites.get(this.#hosts.get(id) ?? '')
    if (site === undefined || site.ids.size < 2) return null
    if (site.covers === null && this.#watchedCount() + site.ids.size > MOST_WATCHED) return null
    site.covers ??= new SiteCovers()
    return site.covers
  }

  #watchedCount(): number {
    let count = 0
    for (const { ids, covers } of this.#sites.values()) if (covers !== null) count += ids.size
    return count
  }
}

function isSame({ cover, members }: LiveCover, chosen: ChosenCover): boolean {
  const { covered } = chosen
  if (cover !== chosen.cover || covered.length !== members.size) return false
  return covered.every(({ member, isNamed }) => members.get(member) === isNamed)
}
