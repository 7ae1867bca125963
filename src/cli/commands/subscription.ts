import { Command } from 'commander'
import type { DeadLetter, Subscription } from '../../model/index.ts'
import { targetOf } from '../../publisher/channels/send.ts'
import { shownSecret } from '../../publisher/channels/signature.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import { describeDuration } from '../../refresh/words.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { type CliSession, DATA_OPTION, option, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, JSON_OPTION, type JsonOption, json, relative } from '../output.ts'
import { table } from '../table.ts'

const MOST_LETTERS = 1_000

/** They are made and ended by SUBSCRIBE and UNSUBSCRIBE of the query language; this looks after them. */
export function subscriptionCommand(context: CliContext): Command {
  return new Command('subscription')
    .description('See where query feeds are sent, what could not be delivered, and try it again')
    .addHelpText('after', '\nExamples:\n  $ headwater subscription list\n  $ headwater subscription redeliver --all 2')
    .addCommand(subscriptionListCommand(context))
    .addCommand(deadCommand(context))
    .addCommand(redeliverCommand(context))
}

function subscriptionListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List subscriptions with their state')
    .option('--secrets', 'show what webhooks are signed with, to set up receivers')
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater subscription list --secrets')
    .action(async (options: { secrets?: boolean; json?: boolean }, command: Command) =>
      withSession(command, context, (session) => runList(session, context, options)),
    )
}

async function runList(
  { data: { store } }: CliSession,
  context: CliContext,
  options: { secrets?: boolean; json?: boolean },
): Promise<void> {
  const subscriptions = await store.subscriptions()
  const names = await feedNames(store)
  if (options.json) {
    const rows = subscriptions.map((one) => subscriptionJson(one, names.get(one.feedId), options.secrets))
    return context.out(json(rows))
  }
  const now = context.clock.now()
  const rows = subscriptions.map((one) => [
    String(one.id),
    names.get(one.feedId) ?? '',
    one.output.kind,
    one.everyMs === null ? 'immediately' : `every ${describeDuration(one.everyMs)}`,
    relative(one.deliveredAt, now),
    `${shownTarget(one)}${options.secrets && one.output.kind === 'webhook' ? `  ${secretInWords(one)}` : ''}`,
    ...(one.lastError === null ? [] : [clip(one.lastError, 60)]),
  ])
  context.out(
    table(['ID', 'FEED', 'OUTPUT', 'WHEN', 'DELIVERED', 'TO', 'ERROR'].slice(0, width(rows)), pad(rows), context.style),
  )
}

/** The last column is there only if somebody has something in it. */
function width(rows: readonly (readonly string[])[]): number {
  return Math.max(6, ...rows.map((row) => row.length))
}

function pad(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.map((row) => [...row, ...Array.from({ length: width(rows) - row.length }, () => '')])
}

function deadCommand(context: CliContext): Command {
  return new Command('dead')
    .description('List what was given up, newest first')
    .option('--subscription <id>', 'of one subscription only', option(readNumber))
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater subscription dead')
    .action(async (options: { subscription?: number; json?: boolean }, command: Command) =>
      withSession(command, context, (session) => runDead(session, context, options)),
    )
}

async function runDead(
  { data: { store } }: CliSession,
  context: CliContext,
  options: { subscription?: number; json?: boolean },
): Promise<void> {
  const { subscription: subscriptionId } = options
  const which = subscriptionId === undefined ? {} : { subscriptionId }
  const letters = await store.deadLetters({ ...which, limit: MOST_LETTERS })
  const titles = new Map(
    (await store.itemsBySeq(letters.map(({ itemSeq }) => itemSeq))).map(({ seq, title, link }) => [
      seq,
      title ?? link ?? '',
    ]),
  )
  if (options.json) return context.out(json(letters.map((letter) => letterJson(letter, titles))))
  const now = context.clock.now()
  const rows = letters.map(({ id, subscriptionId, at, reason, itemSeq, isRequeued }) => [
    String(id),
    String(subscriptionId),
    relative(at, now),
    isRequeued ? 'to be tried again' : clip(reason, 50),
    clip(titles.get(itemSeq) ?? '', 60),
  ])
  context.out(table(['ID', 'SUBSCRIPTION', 'GIVEN UP', 'REASON', 'ITEM'], rows, context.style))
}

function redeliverCommand(context: CliContext): Command {
  return new Command('redeliver')
    .description('Have dead letters tried once more by the running node')
    .argument('[ids...]', 'numbers of dead letters')
    .option('--all <subscription>', 'all of a subscription', option(readNumber))
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  $ headwater subscription redeliver 17 18\n  $ headwater subscription redeliver --all 2',
    )
    .action(async (ids: readonly string[], options: JsonOption & { all?: number }, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        if ((ids.length === 0) === (options.all === undefined)) {
          throw new HeadwaterError('USAGE', 'give numbers of dead letters, or --all with a subscription')
        }
        const which = options.all === undefined ? { ids: ids.map(readNumber) } : { subscriptionId: options.all }
        const count = await store.requeueDeadLetters(which)
        if (options.json) return context.out(json({ requeued: count }))
        context.out(`${count === 1 ? '1 is' : `${count} are`} tried again by the node\n`)
      }),
    )
}

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HeadwaterError('USAGE', `${text} is no number`)
  return Number(text)
}

async function feedNames(store: Store): Promise<ReadonlyMap<number, string>> {
  return new Map((await store.queryFeeds()).map(({ id, name }) => [id, name]))
}

function shownTarget({ output }: Subscription): string {
  const target = targetOf({ ...output })
  return output.kind === 'webhook' ? withoutCredentials(target) : target
}

function subscriptionJson(one: Subscription, feed: string | undefined, withSecret = false) {
  const { id, output, everyMs, deliveredSeq, failureCount, lastError } = one
  return {
    id,
    feed: feed ?? null,
    output: output.kind,
    target: shownTarget(one),
    everyMs,
    deliveredSeq,
    deliveredAt: isoOrNull(one.deliveredAt),
    failureCount,
    nextAttemptAt: isoOrNull(one.nextAttemptAt),
    lastError,
    ...(withSecret ? { secret: one.secret === null ? null : shownSecret(one.secret) } : {}),
  }
}

function letterJson(letter: DeadLetter, titles: ReadonlyMap<number, string>) {
  const { id, subscriptionId, publicationSeq, at, reason, isRequeued, itemSeq } = letter
  return {
    id,
    subscriptionId,
    publicationSeq,
    at: isoOrNull(at),
    reason,
    isRequeued,
    title: titles.get(itemSeq) ?? null,
  }
}

function secretInWords({ secret }: Subscription): string {
  return secret === null ? '(saved with another key)' : shownSecret(secret)
}
