import type { InstantMs } from '../../model/index.ts'
import { writeOpml } from '../../sources/opml.ts'
import { allSources } from '../../store/all-sources.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { SECRET_SETTINGS } from '../settings/secret-settings.ts'
import { opmlEntries } from '../sources/import-sources.ts'

/** The small files of an export by name: feeds with folders, query feeds as statements, settings. */
export async function exportedFiles(
  { store, settings }: Pick<OpenedData, 'store' | 'settings'>,
  now: InstantMs,
): Promise<Readonly<Record<string, string>>> {
  const sources = await allSources(store)
  const feeds = await store.queryFeeds()
  const document = Object.entries(await settings.read()).filter(([name]) => !SECRET_SETTINGS.has(name))
  return {
    'subscriptions.opml': writeOpml(opmlEntries(sources), 'Headwater', now),
    'feeds.query': feeds.map(({ text }) => `${text.trim()}\n`).join('\n'),
    'settings.json': `${JSON.stringify(Object.fromEntries(document), null, 2)}\n`,
  }
}
