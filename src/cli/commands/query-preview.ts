import { Command } from 'commander'
import type { QueryFeedPreview } from '../../app/queries/preview.ts'
import { parseDuration } from '../../app/settings/units.ts'
import { shownName } from '../../app/sources/import-sources.ts'
import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { ItemHead } from '../../store/item-heads.ts'
import { option, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, json, relative } from '../output.ts'
import type { Style } from '../style.ts'
import { table } from '../table.ts'
import { progressOf, readQueryText } from './query-text.ts'

interface PreviewOptions {
  readonly since?: DurationMs
  readonly newest: number
  readonly json?: boolean
}

export function previewCommand(context: CliContext): Command {
  return new Command('preview')
    .description(
      'Run queries over the archive: how many items fit, by source and day, and the newest; nothing is saved',
    )
    .argument('<file>', 'statements or one query (RETURN …, or just a condition), or - for standard input')
    .option(
      '--since <duration>',
      'only items first seen in the last …, as 30d (default: the whole archive)',
      option(parseDuration),
    )
    .option('--newest <n>', 'how many of the newest to show', (text) => Math.max(0, Number.parseInt(text, 10) || 0), 20)
    .option('--json', 'print as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater query preview ice.query --since 7d
  $ echo 'TITLE CONTAINS iceland AND LANGUAGE = en' | headwater query preview -`,
    )
    .action(async (file: string, options: PreviewOptions, command: Command) => {
      const text = await readQueryText(file, context)
      await withSession(command, context, async ({ data }) => {
        const { previewQueries } = await import('../../app/queries/preview.ts')
        const now = context.clock.now()
        const after = options.since === undefined ? 0 : await data.store.itemSeqBefore(now - options.since)
        const total = (await data.store.lastItemSeq()) - after
        const progress = progressOf(context)
        const onProgress = (items: number) => progress(Math.min(1, items / Math.max(1, total)))
        const preview = await previewQueries(text, data.store, { after, newest: options.newest, onProgress })
        const names = new Map((await data.store.sources()).map((source) => [source.id, shownName(source)]))
        const nameOf = (id: number) => names.get(id) ?? String(id)
        if (options.json) {
          context.out(json({ items: preview.items, feeds: preview.feeds.map((feed) => feedJson(feed, nameOf)) }))
          return
        }
        context.out(`Evaluated on ${preview.items} archived items.\n`)
        for (const feed of preview.feeds) {
          const heads = await data.store.itemHeads(feed.newest.map(({ item }) => item.seq))
          context.out(feedInWords(feed, heads, nameOf, now, context.style))
        }
      })
    })
}

function feedJson(feed: QueryFeedPreview, nameOf: (id: number) => string): object {
  return {
    ...feed,
    bySource: feed.bySource.map((row) => ({ ...row, source: nameOf(row.sourceId) })),
    byDay: feed.byDay.map(({ day, matches }) => ({ day: dayOf(day), matches })),
    newest: feed.newest.map(({ item, joined }) => ({
      seq: item.seq,
      source: nameOf(item.sourceId),
      title: item.title,
      link: item.link,
      published: isoOrNull(item.sortAt),
      joined,
    })),
  }
}

const DAYS_SHOWN = 31

function feedInWords(
  feed: QueryFeedPreview,
  heads: readonly ItemHead[],
  nameOf: (id: number) => string,
  now: InstantMs,
  style: Style | undefined,
): string {
  const sources = feed.bySource.map(({ sourceId, matches }) => [String(matches), clip(nameOf(sourceId), 60)])
  const days = feed.byDay.slice(0, DAYS_SHOWN).map(({ day, matches }) => [String(matches), dayOf(day)])
  const newest = heads.map(({ sortAt, sourceId, title, text, link }) => [
    relative(sortAt, now),
    clip(nameOf(sourceId), 24),
    clip(title ?? (text || (link ?? '(no title)')), 90),
  ])
  const head = `\n${feed.name ?? 'The query'}: ${feed.matches} items fit\n`
  if (feed.matches === 0) return head
  const older = feed.byDay.length > DAYS_SHOWN ? `(and ${feed.byDay.length - DAYS_SHOWN} days before)\n` : ''
  return [
    head,
    `\n${table(['ITEMS', 'SOURCE'], sources, style)}`,
    `\n${table(['ITEMS', 'DAY'], days, style)}${older}`,
    `\n${table(['PUBLISHED', 'SOURCE', 'TITLE'], newest, style)}`,
  ].join('')
}

function dayOf(at: InstantMs): string {
  return isoOrNull(at)!.slice(0, 10)
}
