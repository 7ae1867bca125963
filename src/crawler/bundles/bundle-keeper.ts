import { HOUR_MS, type InstantMs, MINUTE_MS, type SourceId } from '../../model/index.ts'
import { composeBundles, isBetterComposed } from '../../refresh/bundles/composition.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { Logger } from '../../runtime/logger.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Store } from '../../store/store.ts'
import { CoverKeeper, type LiveCover } from '../covers/cover-keeper.ts'
import { COVERS, saveCovers } from '../covers/cover-state.ts'
import { isPlainSource } from '../covers/plain-source.ts'
import { hostKey } from '../fetch/host-key.ts'
import type { FetchSlots } from '../fetch-slots.ts'
import type { LiveBundle } from './bundle-refresh.ts'
import type { ComposableAddress, ComposedFamily } from './families.ts'
import { Refusals } from './refusals.ts'

/** What makes one request for several sources possible. */
export interface BundleRules {
  readonly families: readonly ComposedFamily[]
  /** Whether the site's robots.txt lets robots fetch an address. */
  readonly mayFetch: (url: string, signal: AbortSignal) => Promise<boolean>
  /** Whether all who may read what a member shows may read what a source shows that covers it. */
  readonly mayShow: (cover: SourceId, member: SourceId) => Promise<boolean>
}

export interface BundleKeeperDeps {
  readonly rules: BundleRules
  readonly store: Pick<Store, 'source' | 'state' | 'changeState'>
  readonly scheduler: Pick<LiveScheduler, 'bundles' | 'has' | 'price'>
  readonly clock: SteadyClock
  readonly logger: Logger
}

/** Refreshes that are under way. */
type Running = Pick<FetchSlots, 'hasAny'>

/** One refresh of a source that shows others. */
export interface LookAtCover {
  readonly live: LiveCover
  readonly source: SourceId
  readonly members: readonly SourceId[]
}

interface KnownAddress extends ComposableAddress {
  readonly family: ComposedFamily
}

/** Who with whom is looked at so often; most looks change nothing. */
const COMPOSE_EVERY_MS = HOUR_MS
/** After a start, when sources and models are there. */
const FIRST_COMPOSE_MS = MINUTE_MS

/** Which sources are asked for together, now. */
export class BundleKeeper {
  /** Those that one of them shows. */
  readonly covers: CoverKeeper
  readonly #deps: BundleKeeperDeps
  readonly #addresses = new Map<SourceId, KnownAddress>()
  readonly #bundles = new Map<SourceId, LiveBundle>()
  readonly #underWay = new Set<SourceId>()
  readonly #refusals = new Refusals()
  #lastId: SourceId = 0

  constructor(deps: BundleKeeperDeps) {
    this.#deps = deps
    this.covers = new CoverKeeper({ ...deps, mayShow: deps.rules.mayShow, newId: () => --this.#lastId })
  }

  /** A source is there, by this address. */
  note(id: SourceId, url: string): void {
    const address = this.#read(url)
    this.covers.note(id, url)
    const before = this.#addresses.get(id)
    if (before !== undefined && (address?.group !== before.group || address.name !== before.name)) this.#leave(id)
    if (address !== null) this.#addresses.set(id, address)
  }

  forget(id: SourceId): void {
    this.covers.forget(id)
    this.#refusals.forget(id)
    this.#leave(id)
  }

  #leave(id: SourceId): void {
    if (!this.#addresses.delete(id)) return
    for (const bundle of this.#bundles.values()) if ([...bundle.members.values()].includes(id)) this.#drop(bundle)
  }

  get(id: SourceId): LiveBundle | null {
    return this.#bundles.get(id) ?? null
  }

  /** One request at a time shows a source: its own, or one for several. `id`: of either. */
  isShown(id: SourceId, running: Running): boolean {
    const bundle = this.#bundles.get(id)
    if (bundle !== undefined) return running.hasAny(bundle.members.values())
    const source = this.covers.sourceOf(id) ?? id
    return this.#underWay.has(source) || (source !== id && running.hasAny([source]))
  }

  begin({ members }: LiveBundle): void {
    for (const id of members.values()) this.#underWay.add(id)
  }

  /** A source is asked that shows others: those of them that nobody asks now. null: it shows none. */
  beginCover(source: SourceId, running: Running): LookAtCover | null {
    const live = this.covers.ofSource(source)
    if (live === null) return null
    const members = [...live.members.keys()].filter((id) => !this.#underWay.has(id) && !running.hasAny([id]))
    for (const id of [source, ...members]) this.#underWay.add(id)
    return { live, source, members }
  }

  endCover(look: LookAtCover | null): void {
    if (look !== null) for (const id of [look.source, ...look.members]) this.#underWay.delete(id)
  }

  end(bundle: LiveBundle): void {
    const ids = [...bundle.members.values()]
    for (const id of ids) this.#underWay.delete(id)
    if (this.#refusals.note(ids, bundle.failureCount, this.#deps.clock.now())) this.#drop(bundle)
  }

  layer(): Layer {
    return {
      name: 'bundles',
      run: async (end) => {
        const { clock, store } = this.#deps
        await clock.sleep(FIRST_COMPOSE_MS, end)
        this.covers.resume(await store.state(COVERS))
        while (!end.aborted) {
          await this.compose(end)
          await this.covers.compose()
          await saveCovers(this.covers, store)
          await clock.sleep(COMPOSE_EVERY_MS, end)
        }
      },
    }
  }

  /** Who with whom, by what is believed of each now. */
  async compose(signal: AbortSignal): Promise<void> {
    for (const [key, ids] of this.#groups()) await this.#composeGroup(key, ids, signal)
  }

  #groups(): Map<string, SourceId[]> {
    const groups = new Map<string, SourceId[]>()
    for (const [id, { family, group }] of this.#addresses) {
      const key = `${family.id} ${group}`
      groups.set(key, [...(groups.get(key) ?? []), id])
    }
    return groups
  }

  async #composeGroup(key: string, ids: readonly SourceId[], signal: AbortSignal): Promise<void> {
    const { scheduler, clock } = this.#deps
    const [first] = ids
    const known = first === undefined ? undefined : this.#addresses.get(first)
    if (ids.length < 2 || known === undefined || scheduler.bundles === undefined) return
    const { family } = known
    const plain = await this.#composableOf(ids)
    const present = await this.#permitted(this.#present(ids), signal)
    const candidates = scheduler.bundles.composable(plain, clock.now())
    const next = composeBundles(candidates, family.limits, scheduler.price)
    const groups = present.map(({ members }) => [...members.values()])
    if (!isBetterComposed(next, groups, candidates, family.limits, scheduler.price)) return
    const composed = next.map((members) => this.#composed(family, known.group, members))
    for (const { url } of composed) if (!(await this.#deps.rules.mayFetch(url, signal))) return
    if (signal.aborted) return
    for (const bundle of present) this.#drop(bundle)
    for (const bundle of composed) this.#set(bundle, clock.now())
    this.#deps.logger.info(
      { site: key, requests: composed.length, sources: candidates.length },
      'sources are asked for together',
    )
  }

  /** What somebody has a log-in or headers of their own for is asked for alone, what is there twice, and what was refused. */
  async #composableOf(ids: readonly SourceId[]): Promise<Iterable<SourceId>> {
    const plain = new Map<string, SourceId>()
    for (const id of ids) {
      const name = this.#addresses.get(id)?.name.toLowerCase() ?? ''
      const isOut = plain.has(name) || this.#refusals.isResting(id, this.#deps.clock.now())
      const source = isOut ? null : await this.#deps.store.source(id)
      if (source !== null && isPlainSource(source) && source.listing == null) plain.set(name, id)
    }
    return plain.values()
  }

  #present(ids: readonly SourceId[]): readonly LiveBundle[] {
    const own = new Set(ids)
    const present = [...this.#bundles.values()].filter(({ members }) => [...members.values()].some((id) => own.has(id)))
    const isThere = (bundle: LiveBundle) => this.#deps.scheduler.has(bundle.id)
    for (const bundle of present) if (!isThere(bundle)) this.#bundles.delete(bundle.id)
    return present.filter(isThere)
  }

  /** A site may have changed its robots.txt since. */
  async #permitted(present: readonly LiveBundle[], signal: AbortSignal): Promise<readonly LiveBundle[]> {
    const permitted: LiveBundle[] = []
    for (const bundle of present) {
      if (signal.aborted || (await this.#deps.rules.mayFetch(bundle.url, signal))) permitted.push(bundle)
      else this.#drop(bundle)
    }
    return permitted
  }

  #composed(family: ComposedFamily, group: string, ids: readonly SourceId[]): LiveBundle {
    const names = ids.map((id) => this.#addresses.get(id)?.name ?? '')
    const url = family.compose(group, names)
    const members = new Map(ids.map((id, index) => [(names[index] ?? '').toLowerCase(), id]))
    const fresh = { lastAt: null, etag: null, lastModified: null, failureCount: 0 }
    return { id: --this.#lastId, family, url, host: hostKey(url), members, ...fresh }
  }

  #set(bundle: LiveBundle, now: InstantMs): void {
    const { id, family, members } = bundle
    this.#bundles.set(id, bundle)
    this.#deps.scheduler.bundles?.set({ id, windowSize: family.limits.windowSize, members: [...members.values()] }, now)
  }

  #drop({ id }: LiveBundle): void {
    this.#bundles.delete(id)
    this.#deps.scheduler.bundles?.drop(id)
  }

  #read(url: string): KnownAddress | null {
    const parsed = parseUrl(url)
    if (parsed === null) return null
    for (const family of this.#deps.rules.families) {
      const address = family.read(parsed)
      if (address !== null) return { ...address, family }
    }
    return null
  }
}
