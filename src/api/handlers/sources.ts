import type { Readable } from 'node:stream'
import { DAY_MS, HOUR_MS, isForLetters, type Source, type SourceId, type SourceSettings } from '../../model/index.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { opmlParts } from '../../sources/opml.ts'
import { allListedSources, allSources } from '../../store/all-sources.ts'
import type { sourceOperations } from '../operations/sources.ts'
import { bytesOf } from '../parts.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { readCursor, writeCursor } from './pages.ts'
import { detailOf } from './source-detail.ts'
import { columnsOf, comparePositions, compareRows, filterRows, firstInOrder } from './source-list.ts'

const LONGEST_LIST_BYTES = 32 * 1024 ** 2
/** Observations from which the heat map of what was seen is drawn. */
const SEEN_FROM = 2_000
const HOURS_OF_A_WEEK = 168

export function sourceHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof sourceOperations> {
  const { store, services, directory, jobs, clock } = deps
  const found = async (id: SourceId): Promise<Source> => {
    const source = await store.source(id)
    if (source === null) throw new HeadwaterError('SOURCE_NOT_FOUND', String(id))
    return source
  }

  return {
    async sourceTable({ query }) {
      const rows = filterRows(await directory.rows(), query)
      return { count: rows.length, columns: columnsOf(rows) }
    },
    async listSources({ query }) {
      const { sort, order, limit, cursor } = query
      const fitting = filterRows(await directory.rows(), query)
      const position = cursor === undefined ? null : readCursor(cursor, 2)
      const after = position === null ? null : ([position[0] ?? null, Number(position[1])] as const)
      const sign = order === 'asc' ? 1 : -1
      const rest =
        after === null ? fitting : fitting.filter((row) => comparePositions([row[sort], row.id], after, sign) > 0)
      const sources = firstInOrder(rest, limit, compareRows(sort, order))
      const last = sources.at(-1)
      const next = rest.length > limit && last !== undefined ? writeCursor([last[sort], last.id]) : null
      return { sources, total: fitting.length, next }
    },
    async discoverSource({ body }, { user }) {
      const feeds = await services.sources.discover(body.url, user.id)
      return {
        feeds: await Promise.all(
          feeds.map(async (feed) => ({ ...feed, sourceId: (await store.sourceByUrl(feed.url))?.id ?? null })),
        ),
      }
    },
    async addSource({ body: { discover, ...settings } }, call) {
      const { isAdmin, user } = call
      // A proxy works on this machine's behalf, wherever it is.
      if (settings.proxyUrl != null && !isAdmin) throw new HeadwaterError('RIGHT_MISSING', 'admin, to set a proxy')
      // What is stored takes room from all.
      if (settings.dailyAllowance != null && !isAdmin)
        throw new HeadwaterError('RIGHT_MISSING', 'admin, to set an allowance')
      // So do pages, which also cost requests.
      if ((settings.pages ?? 'off') !== 'off' && !isAdmin)
        throw new HeadwaterError('RIGHT_MISSING', 'admin, to fetch pages')
      const { source, added } = await services.sources.add(withoutUndefined(settings) as SourceSettings, {
        discover: discover && settings.listing == null,
        by: user.id,
        isAdmin,
      })
      directory.forget()
      return { source: await detailOf(source, call, deps), added }
    },
    showSource: async ({ params }, call) => detailOf(await found(params.id), call, deps),
    async setSource({ params, body }, call) {
      const url = body.url === undefined ? {} : { url: services.sources.normalUrl(body.url) }
      const patch = { ...withoutUndefined(body), ...url } as Partial<SourceSettings>
      const source = await services.sources.change(params.id, patch, call.user.id)
      if (source === null) throw new HeadwaterError('SOURCE_NOT_FOUND', String(params.id))
      directory.forget()
      return detailOf(source, call, deps)
    },
    async removeSource({ params }, { nameSubject }) {
      const source = await store.source(params.id)
      // Not the address, which may hold a secret.
      nameSubject([`source ${params.id}`, source?.name ?? source?.state.title].filter(Boolean).join(', '))
      const removed = await store.removeSource(params.id)
      if (!removed) throw new HeadwaterError('SOURCE_NOT_FOUND', String(params.id))
      directory.forget()
      return undefined
    },
    async refreshSource({ params }, { user }) {
      if (isForLetters(await found(params.id))) throw new HeadwaterError('SOURCE_NOT_FETCHED')
      const askedAt = clock.now()
      await store.requestRefresh([params.id], askedAt, user.id)
      return { askedAt }
    },
    async sourceRefreshes({ params, query: { since, limit } }) {
      await found(params.id)
      const page = { limit, ...(since === undefined ? {} : { since }) }
      const observations = await store.observations(params.id, page)
      const decisions = new Map((await store.decisions(params.id, limit)).map((one) => [one.at, one]))
      return {
        refreshes: observations.map(({ sourceId: _id, itemTimes: _times, loss, ...rest }) => {
          const decision = decisions.get(rest.at)
          const why = decision && { cause: decision.cause, price: decision.price, expected: decision.expected }
          return { ...rest, loss: loss ?? null, decision: why ?? null }
        }),
      }
    },
    async sourceModel({ params }) {
      await found(params.id)
      const model = (await store.models([params.id])).get(params.id) ?? null
      const observations = await store.observations(params.id, { limit: SEEN_FROM })
      return {
        form: model?.form ?? null,
        learntAt: model?.learntAt ?? null,
        ratePerHour: services.models.ratePerHour(model),
        windowSize: model?.windowSize ?? null,
        week: services.models.week(model),
        seen: seenByHour(observations.flatMap(({ itemTimes }) => itemTimes)),
      }
    },
    async trustSource({ params, body }, { user }) {
      await found(params.id)
      await store.setTrust(user.id, params.id, body.trust)
      return { trust: body.trust }
    },

    listCategories: async () => ({ categories: [...(await store.categories())] }),
    async renameCategory({ body: { from, to } }) {
      const members = await allSources(store, { category: from })
      for (const { id, categories } of members) {
        await store.updateSource(id, { categories: categories.flatMap((one) => renamed(one, from, to)) })
      }
      directory.forget()
      return { sources: members.length }
    },

    async exportOpml({ query: { category } }) {
      const sources = await allListedSources(store, category)
      const entries = sources
        .filter((source) => !isForLetters(source))
        .map(({ url, name, title, siteUrl, categories }) => ({
          url: withoutCredentials(url),
          name: name ?? title,
          siteUrl,
          categories,
        }))
      return {
        body: await bytesOf(opmlParts(entries, 'Sources of Headwater', clock.now())),
        headers: { 'content-disposition': 'attachment; filename="sources.opml"' },
      }
    },
    async importOpml({ query: { category, dryRun } }, { request, user, isAdmin }) {
      const list = await readBody(request.body as Readable, LONGEST_LIST_BYTES)
      const options = { category: category ?? null, dryRun: dryRun === true, mayRefile: isAdmin, by: user.id }
      const job = await jobs.start('import', user.id, async (onProgress) => {
        const result = await services.sources.import(list, options, onProgress)
        directory.forget()
        return result
      })
      return { job }
    },
  }
}

function withoutUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function renamed(category: string, from: string, to: string | null): string[] {
  if (category !== from && !category.startsWith(`${from}/`)) return [category]
  return to === null ? [] : [`${to}${category.slice(from.length)}`]
}

/** 1970 began on a Thursday; weeks are shown from Monday. */
function seenByHour(times: readonly number[]): number[][] {
  const counts = new Map<number, number>()
  for (const time of times) {
    const hour =
      (((Math.floor(time / HOUR_MS) + 3 * (DAY_MS / HOUR_MS)) % HOURS_OF_A_WEEK) + HOURS_OF_A_WEEK) % HOURS_OF_A_WEEK
    counts.set(hour, (counts.get(hour) ?? 0) + 1)
  }
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => counts.get(24 * day + hour) ?? 0),
  )
}

async function readBody(body: Readable | Buffer | string | undefined | null, mostBytes: number): Promise<Uint8Array> {
  if (body === undefined || body === null) throw new HeadwaterError('REQUEST_INVALID', 'body: nothing was sent')
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new HeadwaterError('REQUEST_INVALID', `body: more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
