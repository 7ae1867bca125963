import type { ImportOptions, ImportResult, SourceService } from '../../api/services.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { DurationMs, SourceSettings, UserId } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import { normalizeSourceUrl } from '../../sources/discover.ts'
import { readExport } from '../../sources/exports/index.ts'
import { type OpmlList, opmlReading } from '../../sources/opml.ts'
import { addOneSource } from '../../store/add-one-source.ts'
import type { Store } from '../../store/store.ts'
import { changeSourceAndRefresh, intakeToday } from '../crawling/intake.ts'
import { rulesFor } from '../sources/address-rules.ts'
import { findFeed, previewFeeds } from '../sources/find-feed.ts'
import { importItems } from '../sources/import-items.ts'
import { importSources, type NewSource, withSourceDefaults } from '../sources/import-sources.ts'
import type { LimitCheck } from '../users/member-limits.ts'

/** Entries imported in one transaction: the crawler goes on between two of them, and progress is seen. */
const BATCH = 100

export interface SourceServiceDeps {
  readonly store: Store
  readonly fetcher: Fetcher
  readonly limits: LimitCheck
  /** No source is refreshed more often than this, unless the admin allows it. */
  readonly minIntervalMs: () => DurationMs
  /** How long items are archived, and with them their pages. */
  readonly retention: SourceService['retention']
  readonly clock: Pick<Clock, 'now'>
}

export function createSourceService({
  store,
  fetcher,
  limits,
  minIntervalMs,
  retention,
  clock,
}: SourceServiceDeps): SourceService {
  return {
    normalUrl: normalizeSourceUrl,
    retention,
    change: (id, patch, by) => changeSourceAndRefresh(id, patch, store, clock.now(), by),
    intake: (source) => intakeToday(source, store, clock.now()),
    discover: async (url, by) => previewFeeds(url, { url }, fetcher, { rules: await rulesFor(by, store) }),
    async add(settings, { discover, by, isAdmin }) {
      if (!isAdmin) refuseHaste(settings, minIntervalMs())
      const url = discover ? await found(settings, by) : normalizeSourceUrl(settings.url)
      const known = await store.sourceByUrl(url)
      if (known !== null) return { source: known, added: false }
      return limits.within(by, 'sources', 1, async () => {
        // Of one moment: a refresh that begins between the two serves the request.
        const now = clock.now()
        const answer = await addOneSource(store, withSourceDefaults({ ...settings, url }), now, by)
        if (answer.added) await store.requestRefresh([answer.source.id], now, by)
        return answer
      })
    },
    import: (list, options, onProgress) => limits.inTurn(options.by, () => importList(list, options, onProgress)),
  }

  async function found(settings: NewSource, by: UserId): Promise<string> {
    return (await findFeed(settings.url, settings, fetcher, { rules: await rulesFor(by, store) })).url
  }

  async function importList(
    list: Uint8Array,
    { category, dryRun, mayRefile, by }: ImportOptions,
    onProgress: (done: number, total: number) => void,
  ): Promise<ImportResult> {
    const articles = readExport(list)
    const { entries, problems } = articles ?? (await readInParts(list))
    const [problem] = problems
    if (entries.length === 0 && problem !== undefined) throw new HeadwaterError('OPML_INVALID', problem.message)
    if (!dryRun) await limits.check(by, 'sources', (await wouldImport(entries, store)).added)
    const total = { added: 0, known: 0, bad: [] as string[], stored: 0, marked: 0 }
    onProgress(0, entries.length)
    for (let at = 0; at < entries.length; at += BATCH) {
      const batch = entries.slice(at, at + BATCH).map((entry) => filedUnder(category, entry))
      const counts = dryRun
        ? await wouldImport(batch, store)
        : await importSources(batch, store, clock.now(), { mayRefile, by })
      total.added += counts.added
      total.known += counts.known
      total.bad.push(...counts.bad)
      onProgress(Math.min(entries.length, at + BATCH), entries.length)
      await giveWay()
    }
    if (dryRun || articles === null) return total
    return { ...total, ...(await importItems(articles.items, by, store, clock.now())) }
  }
}

/** What is shorter than the node's own least interval costs all who pay for the source. */
function refuseHaste(settings: Partial<SourceSettings>, leastMs: DurationMs): void {
  const { intervalMs, minIntervalMs, maxIntervalMs } = settings
  const shortest = Math.min(...[intervalMs, minIntervalMs, maxIntervalMs].filter((ms) => ms != null))
  if (shortest < leastMs)
    throw new HeadwaterError('INTERVAL_TOO_SHORT', `${shortest / 1000} s; the shortest here is ${leastMs / 1000} s`)
}

/** A list may have 32 MiB, which take seconds. */
async function readInParts(list: Uint8Array): Promise<OpmlList> {
  const reading = opmlReading(list)
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done === true) return step.value
    await giveWay()
  }
}

async function wouldImport(
  entries: readonly { readonly url: string }[],
  store: Store,
): Promise<{ added: number; known: number; bad: string[] }> {
  const counts = { added: 0, known: 0, bad: [] as string[] }
  const seen = new Set<string>()
  for (const { url } of entries) {
    try {
      const address = normalizeSourceUrl(url)
      if (seen.has(address)) continue
      seen.add(address)
      if ((await store.sourceByUrl(address)) === null) counts.added += 1
      else counts.known += 1
    } catch {
      counts.bad.push(url)
    }
  }
  return counts
}

function filedUnder<Entry extends { readonly categories: readonly string[] }>(category: string | null, entry: Entry) {
  return category === null ? entry : { ...entry, categories: [...entry.categories, category] }
}
