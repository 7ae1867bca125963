import { Command } from 'commander'
import { parseDuration } from '../../app/settings/units.ts'
import { findSourceByName, shownName } from '../../app/sources/import-sources.ts'
import type { Item } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { ItemScope, Store } from '../../store/store.ts'
import { type CliSession, DATA_OPTION, option, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, json, relative } from '../output.ts'
import { table } from '../table.ts'

interface ItemsOptions {
  readonly source?: string
  readonly category?: string
  readonly since?: number
  readonly limit: number
  readonly after?: string
  readonly json?: boolean
}

export function itemsCommand(context: CliContext): Command {
  return (
    new Command('items')
      .description('List or search the archived items, newest first')
      // -word is no option here, but a word that items must not have.
      .allowUnknownOption()
      .argument('[words...]', 'full text: all words, "a phrase", -without')
      .option(...DATA_OPTION)
      .option(...STORE_OPTION)
      .option('--source <source>', 'only of this source')
      .option('--category <path>', 'only of this category and its subfolders')
      .option('--since <duration>', 'only of the last …, as 24h', option(parseDuration))
      .option('--limit <n>', 'how many', (text) => Math.max(1, Number.parseInt(text, 10) || 20), 20)
      .option('--after <cursor>', 'go on after the last item of the page before (its "cursor")')
      .option('--json', 'print as JSON, one object with items and cursor')
      .addHelpText(
        'after',
        '\nExamples:\n  $ headwater items volcano iceland\n  $ headwater items volcano -football --since 24h\n  $ headwater items --category News --since 24h --json',
      )
      .action(async (words: string[], options: ItemsOptions, command: Command) =>
        withSession(command, context, (session) => runItems(session, context, words, options)),
      )
  )
}

async function runItems(
  { data }: CliSession,
  context: CliContext,
  words: string[],
  options: ItemsOptions,
): Promise<void> {
  refuseOptions(words)
  const now = context.clock.now()
  const items = await data.store.items({
    scope: await scopeOf(options, data.store),
    limit: options.limit,
    ...(words.length > 0 ? { text: words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ') } : {}),
    ...(options.since === undefined ? {} : { since: now - options.since }),
    ...(options.after === undefined ? {} : { after: parseCursor(options.after) }),
  })
  if (options.json) return context.out(json({ items: items.map(itemJson), cursor: cursorOf(items) }))
  const names = new Map((await data.store.sources()).map((source) => [source.id, clip(shownName(source), 24)]))
  const rows = items.map((item) => [
    relative(item.sortAt, now),
    names.get(item.sourceId) ?? String(item.sourceId),
    clip(item.title ?? item.summary ?? item.link ?? '(no title)', 90),
  ])
  context.out(table(['PUBLISHED', 'SOURCE', 'TITLE'], rows, context.style))
}

/** What begins with two dashes was meant as an option. */
function refuseOptions(words: readonly string[]): void {
  const option = words.find((word) => /^--./.test(word))
  if (option !== undefined) throw new HeadwaterError('USAGE', `unknown option ${option}`)
}

async function scopeOf(options: ItemsOptions, store: Store): Promise<ItemScope> {
  if (options.source !== undefined)
    return { kind: 'source', sourceId: (await findSourceByName(options.source, store)).id }
  if (options.category !== undefined) return { kind: 'category', category: options.category }
  return { kind: 'all' }
}

function itemJson(item: Item): object {
  const { contentHash: _hash, sortAt, firstSeenAt, changedAt, published, updated, ...rest } = item
  return {
    ...rest,
    published: isoOrNull(published),
    updated: isoOrNull(updated),
    sortAt: isoOrNull(sortAt),
    firstSeenAt: isoOrNull(firstSeenAt),
    changedAt: isoOrNull(changedAt),
  }
}

function cursorOf(items: readonly Item[]): string | null {
  const last = items.at(-1)
  return last === undefined ? null : `${last.sortAt}.${last.seq}`
}

function parseCursor(text: string): { sortAt: number; seq: number } {
  const match = /^(-?\d+)\.(\d+)$/.exec(text)
  if (!match) throw new HeadwaterError('USAGE', `"${text}" is not a cursor; take it from the page before`)
  return { sortAt: Number(match[1]), seq: Number(match[2]) }
}
