import { Command } from 'commander'
import type { SourceShare } from '../../app/crawling/shares.ts'
import { wishStandings } from '../../app/crawling/wish-shares.ts'
import { feedPayer } from '../../app/crawling/wishers.ts'
import { shownName } from '../../app/sources/import-sources.ts'
import type { QueryFeed, Subscription } from '../../model/index.ts'
import { describeDuration } from '../../refresh/words.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { type CliSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, json, relative } from '../output.ts'
import { table } from '../table.ts'
import { standingInWords, wishInWords } from './wish-words.ts'

export function queryListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the query feeds')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExamples:\n  $ headwater query list\n  $ headwater query list --json')
    .action(async (options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const feeds = await data.store.queryFeeds()
        const rows = await Promise.all(feeds.map((feed) => summaryOf(feed, data.store)))
        if (options.json) return context.out(json(rows))
        const cells = rows.map((row) => [row.name, String(row.items), row.state, row.title ?? ''])
        context.out(table(['NAME', 'ITEMS', 'STATE', 'TITLE'], cells, context.style))
      }),
    )
}

async function summaryOf(feed: QueryFeed, store: Store) {
  const { count } = await store.publicationState(feed.id)
  return {
    name: feed.name,
    title: feed.title,
    limit: feed.limit,
    items: count,
    state: feed.catchUpAfter === null ? 'following' : 'filling from the archive',
    isPrivate: feed.isPrivate,
    weight: feed.weight,
    wish: feed.wish,
    createdAt: isoOrNull(feed.createdAt),
    alteredAt: isoOrNull(feed.alteredAt),
    text: feed.text,
  }
}

export function queryShowCommand(context: CliContext): Command {
  return new Command('show')
    .description('Show a query feed: its text, what it holds, who gets it')
    .argument('<name>', 'of the query feed')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater query show ice')
    .action(async (name: string, options: { json?: boolean }, command: Command) =>
      withSession(command, context, (session) => runShow(session, context, name, options)),
    )
}

async function runShow(
  { data: { store } }: CliSession,
  context: CliContext,
  name: string,
  options: { json?: boolean },
): Promise<void> {
  const feed = await store.queryFeed(name)
  if (feed === null) throw new HeadwaterError('QUERY_NOT_FOUND', name)
  const summary = await summaryOf(feed, store)
  const subscriptions = await store.subscriptions(feed.id)
  const { createShareReader } = await import('../../app/crawling/shares.ts')
  const shares = await createShareReader(store).ofFeed(feed.id)
  const names = new Map((await store.sources()).map((source) => [source.id, shownName(source)]))
  const sources = [...shares]
    .sort((a, b) => b.share - a.share)
    .map(({ feedId: _, ...one }) => ({ ...one, source: names.get(one.sourceId) ?? String(one.sourceId) }))
  const newest = await store.publications(feed.id, { limit: 5 })
  const standing = (await wishStandings(store)).get(feedPayer(feed.id)) ?? null
  if (options.json) {
    const details = { wishStanding: standing, subscriptions: subscriptions.map(subscriptionJson), sources }
    return context.out(json({ ...summary, ...details, newest: newest.map(({ item }) => item.title ?? item.link) }))
  }
  const now = context.clock.now()
  context.out(
    `${feed.text};\n\n${summary.items} items, ${summary.state}${feed.isPrivate ? ', private' : ''}${feed.weight === 1 ? '' : `, weight ${feed.weight}`}\n`,
  )
  if (feed.wish !== null) {
    context.out(`wishes for ${wishInWords(feed.wish)}: ${standingInWords(feed.wish, standing)}\n`)
  }
  for (const one of subscriptions) context.out(`${subscriptionInWords(one)}\n`)
  if (sources.length > 0) {
    const cells = sources.slice(0, 20).map((one) => [percent(one.share), knownFrom(one), one.source])
    context.out(`\n${table(['KEPT', 'WITHIN', 'OF SOURCE'], cells, context.style)}`)
  }
  const cells = newest.map(({ item, publishedAt }) => [relative(publishedAt, now), clip(item.title ?? '', 90)])
  context.out(`\n${table(['PUBLISHED', 'TITLE'], cells, context.style)}`)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** Where a counted share lies; what the form of the query says is certain. */
function knownFrom({ atLeast, atMost, isByForm }: Omit<SourceShare, 'feedId'>): string {
  return isByForm ? 'all, by its form' : `${percent(atLeast)} to ${percent(atMost)}`
}

function targetOf({ output }: Subscription): string {
  if (output.kind === 'webhook') return output.url
  if (output.kind === 'webpush') return output.endpoint
  return output.kind === 'file' ? output.path : output.address
}

function subscriptionJson(one: Subscription): object {
  const { secret: _secret, createdAt, deliveredAt, nextAttemptAt, ...rest } = one
  const times = { createdAt, deliveredAt, nextAttemptAt }
  return { ...rest, ...Object.fromEntries(Object.entries(times).map(([name, at]) => [name, isoOrNull(at)])) }
}

function subscriptionInWords(one: Subscription): string {
  const when = one.everyMs === null ? 'immediately' : `every ${describeDuration(one.everyMs)}`
  const trouble = one.failureCount === 0 ? '' : `; ${one.failureCount} failures, the last: ${one.lastError}`
  return `sent to ${one.output.kind} ${targetOf(one)} ${when}${trouble}`
}

export function dropCommand(context: CliContext): Command {
  return new Command('drop')
    .description('Drop a query feed with all that it has published')
    .argument('<name>', 'of the query feed')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater query drop ice')
    .action(async (name: string, options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        // Sources are dropped with `headwater source remove`, which says so.
        if ((await store.queryFeed(name)) === null) throw new HeadwaterError('QUERY_NOT_FOUND', name)
        const { applyQueries } = await import('../../app/queries/apply.ts')
        const done = await applyQueries(`DROP FEED ${name}`, store, { now: context.clock.now() })
        if (options.json) return context.out(json({ done }))
        context.out(`dropped ${name}\n`)
      }),
    )
}
