import { z } from 'zod'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import { HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { ListEntry } from '../../sources/list-collector.ts'
import { followList, type ListStep } from '../../sources/live-list.ts'
import { readOpml } from '../../sources/opml.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import { jsonState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import { contentOf } from './feed-requests.ts'
import { importSources } from './import-sources.ts'

const storedList = z.object({
  url: z.string(),
  /** A folder for all that it brings; null: its own folders alone. */
  category: z.string().nullable(),
  members: z.record(z.string(), z.array(z.string())),
  left: z.array(z.string()),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** null: not yet. */
  checkedAt: z.number().nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
})

/** A list of feeds at an address, with what it has brought so far. */
export type LiveList = z.infer<typeof storedList>

export const LIVE_LISTS = jsonState<readonly LiveList[]>('live-lists', [], (value) => {
  const read = z.array(storedList).safeParse(value)
  return read.success ? read.data : undefined
})

type ListStore = Pick<Store, 'state' | 'changeState' | 'addSources' | 'sourceByUrl' | 'updateSource'>

const CHECK_EVERY_MS = HOUR_MS
const LOOK_EVERY_MS = MINUTE_MS
const MOST_LISTS = 100

/** Throws FETCH_BAD_URL, LIST_EXISTS. It is read at the next look, within a minute. */
export async function addLiveList(url: string, category: string | null, store: ListStore): Promise<LiveList> {
  const address = normalizeSourceUrl(url)
  const conditions = { etag: null, lastModified: null, checkedAt: null, failure: null }
  const list = { url: address, category, members: {}, left: [], ...conditions }
  await store.changeState(LIVE_LISTS, (lists) => {
    if (lists.some((one) => one.url === address)) throw new HeadwaterError('LIST_EXISTS', address)
    if (lists.length >= MOST_LISTS) throw new HeadwaterError('LIST_EXISTS', `there are ${MOST_LISTS} already`)
    return [...lists, list]
  })
  return list
}

/** Its sources stay. Throws LIST_NOT_FOUND. */
export async function removeLiveList(url: string, store: ListStore): Promise<void> {
  await store.changeState(LIVE_LISTS, (lists) => {
    const others = lists.filter((list) => list.url !== url)
    if (others.length === lists.length) throw new HeadwaterError('LIST_NOT_FOUND', url)
    return others
  })
}

export interface LiveListDeps {
  readonly store: ListStore
  readonly fetcher: Fetcher
  readonly clock: Clock
}

/** Reads the lists whose time has come, and brings the sources in step. */
export async function checkLiveLists(deps: LiveListDeps): Promise<void> {
  const { store, clock } = deps
  for (const { url } of (await store.state(LIVE_LISTS)).filter((list) => isDue(list, clock.now()))) {
    // Before the request: of several processes one makes it, and what fails is not asked again at once.
    const list = await takeDue(url, store, clock.now())
    if (list === null) continue
    const news = await readList(list, deps)
    await store.changeState(LIVE_LISTS, (lists) => lists.map((one) => (one.url === url ? { ...one, ...news } : one)))
  }
}

function isDue({ checkedAt }: LiveList, now: InstantMs): boolean {
  return checkedAt === null || now - checkedAt >= CHECK_EVERY_MS || checkedAt > now
}

/** null: another process reads it, or it was removed meanwhile. */
async function takeDue(url: string, store: ListStore, now: InstantMs): Promise<LiveList | null> {
  let taken: LiveList | null = null
  await store.changeState(LIVE_LISTS, (lists) => {
    const list = lists.find((one) => one.url === url && isDue(one, now)) ?? null
    taken = list
    return list === null ? lists : lists.map((one) => (one === list ? { ...one, checkedAt: now } : one))
  })
  return taken
}

async function readList(list: LiveList, { store, fetcher, clock }: LiveListDeps): Promise<Partial<LiveList>> {
  const own = { headers: {}, basicAuth: null, userAgent: null, proxyUrl: null }
  const fetched = await fetcher.fetch({ url: list.url, etag: list.etag, lastModified: list.lastModified, ...own })
  if (fetched.kind === 'not-modified') return { failure: null }
  try {
    const { body, etag, lastModified } = contentOf(list.url, fetched)
    const step = await stepFor(list, entriesOf(body, list), store)
    await carryOut(step, store, clock.now())
    const members = Object.fromEntries(Object.entries(step.members).map(([url, folders]) => [url, [...folders]]))
    return { members, left: [...step.left], etag, lastModified, failure: null }
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    return { failure: { code: error.code, message: error.message } }
  }
}

/** A document without any feed is a site being rebuilt, or a page in its place: nothing follows from it. */
function entriesOf(body: Uint8Array, { url, category }: LiveList): readonly ListEntry[] {
  const { entries, problems } = readOpml(body)
  const usable = entries.flatMap((entry): ListEntry[] => {
    try {
      const folders = new Set([...entry.categories, ...(category === null ? [] : [category])])
      return [{ ...entry, url: normalizeSourceUrl(entry.url), categories: [...folders].sort() }]
    } catch {
      return []
    }
  })
  if (usable.length === 0) throw new HeadwaterError('OPML_INVALID', problems[0]?.message ?? `${url}: no feeds in it`)
  return usable
}

async function stepFor(list: LiveList, entries: readonly ListEntry[], store: ListStore): Promise<ListStep> {
  const known = new Set<string>()
  for (const { url } of entries) if ((await store.sourceByUrl(url)) !== null) known.add(url)
  return followList(entries, list, known)
}

async function carryOut({ add, refile, pause, resume }: ListStep, store: ListStore, now: InstantMs): Promise<void> {
  await importSources(add, store, now)
  for (const { url, from, to } of refile) {
    const source = await store.sourceByUrl(url)
    const own = source?.categories.filter((category) => !from.includes(category)) ?? []
    if (source !== null) await store.updateSource(source.id, { categories: [...new Set([...own, ...to])].sort() })
  }
  for (const [urls, paused] of [[pause, true] as const, [resume, false] as const]) {
    for (const url of urls) {
      const source = await store.sourceByUrl(url)
      if (source !== null) await store.updateSource(source.id, { paused })
    }
  }
}

export function liveListsLayer(deps: LiveListDeps): Layer {
  const action = () => checkLiveLists(deps)
  const run = repeat({ clock: deps.clock, everyMs: LOOK_EVERY_MS, action, alsoAtEnd: false })
  return { name: 'live lists', healthyAfterMs: null, run }
}
