import type { SourceService } from '../../api/services.ts'
import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { normalizeSourceUrl } from '../../sources/discover.ts'
import { readOpml } from '../../sources/opml.ts'
import type { Store } from '../../store/store.ts'
import { findFeed, previewFeeds } from '../find-feed.ts'
import { importSources, withDefaults } from '../sources.ts'

/** Entries imported in one transaction: the crawler goes on between two of them, and progress is seen. */
const BATCH = 500

export function createSourceService(store: Store, fetcher: Fetcher, clock: Pick<Clock, 'now'>): SourceService {
  return {
    normalUrl: normalizeSourceUrl,
    discover: (url) => previewFeeds(url, { url }, fetcher),
    async add(settings, discover, by) {
      const url = discover ? (await findFeed(settings.url, settings, fetcher)).url : normalizeSourceUrl(settings.url)
      const [answer] = await store.addSources([withDefaults({ ...settings, url })], clock.now(), by)
      if (answer!.added) await store.requestRefresh([answer!.source.id], clock.now(), by)
      return answer!
    },
    async import(list, { category, dryRun, mayRefile, by }, onProgress) {
      const { entries, problems } = readOpml(list)
      if (entries.length === 0 && problems.length > 0) throw new HeadwaterError('OPML_INVALID', problems[0]!.message)
      const total = { added: 0, known: 0, bad: [] as string[] }
      onProgress(0, entries.length)
      for (let at = 0; at < entries.length; at += BATCH) {
        const batch = entries.slice(at, at + BATCH).map((entry) => ({
          ...entry,
          categories: category === null ? entry.categories : [...entry.categories, category],
        }))
        const counts = dryRun
          ? await wouldImport(batch, store)
          : await importSources(batch, store, clock.now(), { by, mayRefile })
        total.added += counts.added
        total.known += counts.known
        total.bad.push(...counts.bad)
        onProgress(Math.min(entries.length, at + BATCH), entries.length)
        await new Promise((resolve) => setImmediate(resolve))
      }
      return total
    },
  }
}

async function wouldImport(
  entries: readonly { readonly url: string }[],
  store: Store,
): Promise<{ added: number; known: number; bad: string[] }> {
  const counts = { added: 0, known: 0, bad: [] as string[] }
  for (const { url } of entries) {
    try {
      if ((await store.sourceByUrl(normalizeSourceUrl(url))) === null) counts.added += 1
      else counts.known += 1
    } catch {
      counts.bad.push(url)
    }
  }
  return counts
}
