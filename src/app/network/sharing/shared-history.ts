import { z } from 'zod'
import { pastObservations } from '../../../crawler/model-store.ts'
import { DAY_MS, type InstantMs, type Observation, type SourceId } from '../../../model/index.ts'
import type { PastObservation } from '../../../refresh/scheduler/scheduler.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Store } from '../../../store/store.ts'
import type { PeerClient } from './peer-client.ts'
import type { Roster } from './roster.ts'

/*
 * What a trusted node has seen of a source that is new here: how often it publishes is then known from the first day. It is
 * believed as far as the first document of the origin itself bears it out.
 */

export const HISTORY_PATH = '/peer/history'

/** The latest; more would hardly move a model. */
const MOST_SEEN = 300
const MOST_TIMES = 1_000

const seen = z.object({
  previousAt: z.number().min(0).nullable(),
  at: z.number().min(0),
  newItems: z.int().min(0).max(100_000),
  windowSize: z.int().min(0).max(100_000).nullable(),
  overlap: z.enum(['some', 'none', 'first', 'repaired']),
  lostAtLeast: z.number().min(0).max(1_000_000),
  itemTimes: z.array(z.number().min(0)).max(MOST_TIMES),
  notModified: z.boolean(),
  bytes: z.number().min(0).max(1e9),
  latencyMs: z.number().min(0).max(1e7),
})
const passedHistory = z.object({ seen: z.array(seen).max(MOST_SEEN) })
type Seen = z.infer<typeof seen>

/** For a peer that asks. */
export async function historyFor(
  sourceId: SourceId | undefined,
  store: Pick<Store, 'observations' | 'decisions'>,
): Promise<z.input<typeof passedHistory>> {
  if (sourceId === undefined) return { seen: [] }
  const past = (await pastObservations(store, sourceId, null)).slice(-MOST_SEEN)
  return {
    seen: past.map(({ previousAt, at, newItems, windowSize, overlap, lostAtLeast, itemTimes, ...rest }) => {
      const { notModified, bytes, latencyMs } = rest
      const times = itemTimes.slice(-MOST_TIMES)
      return {
        previousAt,
        at,
        newItems,
        windowSize,
        overlap,
        lostAtLeast,
        itemTimes: times,
        notModified,
        bytes,
        latencyMs,
      }
    }),
  }
}

/** A source is new here for so long after it was first looked at: many looks within a minute tell little of its days. */
const NEW_FOR_MS = DAY_MS
const AT_ONCE = 32

/** False: it is being refreshed now. */
export type TeachPast = (id: SourceId, past: readonly PastObservation[]) => boolean

export interface HistoryDeps {
  readonly store: Pick<Store, 'observations'>
  readonly client: Pick<PeerClient, 'call'>
  readonly roster: Roster
  readonly clock: Pick<Clock, 'now'>
}

/** Asks for the past of sources that are new here, once each. */
export class SharedHistory {
  readonly #deps: HistoryDeps
  readonly #wanted = new Map<SourceId, { readonly url: string; readonly node: string }>()

  constructor(deps: HistoryDeps) {
    this.#deps = deps
  }

  want(id: SourceId, url: string, node: string): void {
    this.#wanted.set(id, { url, node })
  }

  async step(teach: TeachPast): Promise<void> {
    const next = [...this.#wanted].slice(0, AT_ONCE)
    await Promise.all(next.map(([id, { url, node }]) => this.#learn(id, url, node, teach)))
  }

  async #learn(id: SourceId, url: string, node: string, teach: TeachPast): Promise<void> {
    const { roster, clock } = this.#deps
    const [first] = await this.#own(id)
    this.#wanted.delete(id)
    // Others come first where it was not looked at yet.
    if (first === undefined) return this.want(id, url, node)
    if (first.previousAt !== null || clock.now() - first.at > NEW_FOR_MS) return
    const theirs = await this.#ask(url, node)
    const past = joinedHistory(theirs, await this.#own(id), clock.now())
    if (past === null) return
    if (teach(id, past)) roster.count(node, 'learnt')
    else this.want(id, url, node)
  }

  /** In their order; where there are more than these, the first look is not among them. */
  async #own(id: SourceId): Promise<readonly Observation[]> {
    return (await this.#deps.store.observations(id, { limit: MOST_SEEN })).toReversed()
  }

  /** Who does not answer, or does not know the question, is not asked again: the model learns by itself. */
  async #ask(url: string, node: string): Promise<readonly Seen[]> {
    const { client, roster } = this.#deps
    const peer = roster.peer(node)
    const source = roster.names(node).byUrl.get(url)
    if (peer === null || source === undefined) return []
    try {
      return passedHistory.parse(await client.call(peer, HISTORY_PATH, { source })).seen
    } catch {
      return []
    }
  }
}

/** So many items of the first document are needed to judge by. */
const LEAST_ITEMS = 3
/** What the peer has seen of the time that the first document shows, beside what that document shows of it. */
const LEAST_SHARE = 0.5
const MOST_SHARE = 1.5

/** Theirs up to our first look, then ours, as if one had seen all of it; null: it is not borne out by what we saw. */
export function joinedHistory(
  theirs: readonly Seen[],
  own: readonly Observation[],
  now: InstantMs,
): readonly PastObservation[] | null {
  const [first, ...later] = own
  if (first === undefined) return null
  const before = theirs.filter(({ at }) => at < first.at)
  const last = before.at(-1)
  if (last === undefined || !isOrdered(before, now) || !isBorneOut(before, first)) return null
  const fresh = first.itemTimes.filter((at) => at > last.at)
  const { sourceId } = first
  const continued = {
    ...first,
    previousAt: last.at,
    newItems: fresh.length,
    itemTimes: fresh,
    overlap: 'some' as const,
  }
  return [
    ...before.map((one) => ({ ...one, sourceId, cause: null })),
    ...[continued, ...later].map((one) => ({ ...one, cause: null })),
  ]
}

function isOrdered(past: readonly Seen[], now: InstantMs): boolean {
  return past.every(({ at, previousAt, itemTimes }, place) => {
    const before = past[place - 1]?.at ?? 0
    return at > before && at <= now && (previousAt ?? 0) < at && itemTimes.every((time) => time <= at)
  })
}

function isBorneOut(theirs: readonly Seen[], { itemTimes }: Pick<Observation, 'itemTimes'>): boolean {
  const [oldest, until] = [itemTimes[0], theirs.at(-1)?.at ?? 0]
  const times = theirs.flatMap((one) => one.itemTimes)
  const from = Math.max(oldest ?? 0, Math.min(...times))
  const within = (time: InstantMs) => time >= from && time <= until
  const shown = new Set(itemTimes.filter(within)).size
  const claimed = new Set(times.filter(within)).size
  if (shown < LEAST_ITEMS || claimed < LEAST_SHARE * shown || claimed > MOST_SHARE * shown) return false
  // Of the time before, nobody here knows: silence that is made up would teach to look too rarely.
  const since = Math.min(...times, theirs[0]?.at ?? until)
  return times.length * (until - from) >= LEAST_SHARE * shown * (until - since)
}
