import { Command } from 'commander'
import type { LetterSource, LetterSources } from '../../app/letters/letter-sources.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { type CliSession, DATA_OPTION, STORE_OPTION, withNewSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, JSON_OPTION, type JsonOption, json, relative } from '../output.ts'
import { table } from '../table.ts'

export function lettersCommand(context: CliContext): Command {
  const command = new Command('letters')
    .description('Sources that newsletters are sent to: add, list, allow, renew, revoke')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option('--mail-domain <domain>', 'what stands behind the @ (default: as the node last took letters)')
    .addHelpText(
      'after',
      `
The node takes letters where --smtp-in says. Examples:
  $ headwater serve --smtp-in 127.0.0.1:2525 --mail-domain letters.example.org
  $ headwater letters add "The Weekly"
  $ headwater letters list`,
    )
  for (const make of [addCommand, listCommand, allowCommand, renewCommand, revokeCommand]) {
    command.addCommand(make(context))
  }
  return command
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .description('Make a source with an address that letters can be sent to')
    .argument('<title>', 'what the source is called')
    .option('--category <path...>', 'categories, as News or News/Science')
    .option('--sender <sender...>', 'who may send: news@example.org, @example.org or * (default: who sends first)')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater letters add "The Weekly" --sender @weekly.example.org')
    .action(async (name: string, options: JsonOption & { category?: string[]; sender?: string[] }, command: Command) =>
      withNewSession(command, context, async (session) => {
        const { category = [], sender = [] } = options
        const sources = await sourcesOf(session, context)
        const box = await sources.add({ name, categories: category, senders: sender }, null)
        await record('token-made', box, session, context)
        context.out(options.json ? json(boxJson(box)) : `Added source ${box.id}: ${name}\n${addressLines(box)}`)
      }),
    )
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the sources for letters with their addresses')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater letters list')
    .action(async (options: JsonOption, command: Command) =>
      withSession(command, context, async (session) => {
        const boxes = await (await sourcesOf(session, context)).list()
        if (options.json) return context.out(json(boxes.map(boxJson)))
        const now = context.clock.now()
        const rows = boxes.map((box) => [
          String(box.id),
          relative(box.lastLetterAt, now),
          box.lastRefusal === null ? '–' : `${box.lastRefusal.code} ${relative(box.lastRefusal.at, now)}`,
          clip(box.senders.join(', ') || 'the first', 40),
          clip(box.name, 40),
          box.address ?? 'revoked',
        ])
        context.out(table(['ID', 'LAST LETTER', 'REFUSED', 'SENDERS', 'NAME', 'ADDRESS'], rows, context.style))
      }),
    )
}

function allowCommand(context: CliContext): Command {
  return new Command('allow')
    .description('Let senders write to a source, beside those who may already')
    .argument('<id>', 'number of the source')
    .argument('<sender...>', 'news@example.org, @example.org for all of a domain, or * for anybody')
    .option('--only', 'these, and nobody else')
    .option('--json', 'print the source as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater letters allow 3 news@example.org')
    .action(async (id: string, senders: string[], options: JsonOption & { only?: boolean }, command: Command) =>
      withSession(command, context, async (session) => {
        const sources = await sourcesOf(session, context)
        const { id: sourceId, senders: before } = await boxNamed(id, sources)
        const all = options.only ? senders : [...new Set([...before, ...senders])]
        const box = await sources.allow(sourceId, all)
        context.out(options.json ? json(boxJson(box)) : `Source ${id} takes letters of ${box.senders.join(', ')}\n`)
      }),
    )
}

function renewCommand(context: CliContext): Command {
  return new Command('renew')
    .description('Give a source another address; the one before takes nothing any more')
    .argument('<id>', 'number of the source')
    .option('--json', 'print the source as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater letters renew 3')
    .action(async (id: string, options: JsonOption, command: Command) =>
      withSession(command, context, async (session) => {
        const sources = await sourcesOf(session, context)
        const box = await sources.renew((await boxNamed(id, sources)).id)
        await record('token-made', box, session, context)
        context.out(options.json ? json(boxJson(box)) : addressLines(box))
      }),
    )
}

function revokeCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('Take its address from a source; its items stay')
    .argument('<id>', 'number of the source')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater letters revoke 3')
    .action(async (id: string, options: JsonOption, command: Command) =>
      withSession(command, context, async (session) => {
        const sources = await sourcesOf(session, context)
        const box = await sources.revoke((await boxNamed(id, sources)).id)
        await record('token-revoked', box, session, context)
        if (options.json) return context.out(json(boxJson(box)))
        context.out(`Source ${box.id} takes no letters any more: ${box.name}\n`)
      }),
    )
}

async function sourcesOf({ data, config }: CliSession, { clock }: CliContext): Promise<LetterSources> {
  const { createLetterSources } = await import('../../app/letters/letter-sources.ts')
  const { knownMailDomain } = await import('../../app/letters/mail-domain.ts')
  const domain = await knownMailDomain(config, data.store)
  return createLetterSources({ store: data.store, domain: () => domain, clock })
}

async function boxNamed(id: string, sources: LetterSources): Promise<LetterSource> {
  const box = /^\d+$/.test(id) ? await sources.find(Number(id)) : null
  if (box === null) throw new HeadwaterError('SOURCE_NOT_FOUND', `${id}; see headwater letters list`)
  return box
}

function record(
  action: 'token-made' | 'token-revoked',
  { id }: LetterSource,
  { data }: CliSession,
  context: CliContext,
): Promise<void> {
  return recordLocalActions([{ action, subject: `address of source ${id}` }], data.store, context)
}

function addressLines({ address, senders }: LetterSource): string {
  const who = senders.length === 0 ? 'Whoever sends first is its sender from then on.' : `For ${senders.join(', ')}.`
  return `${address}\nWho knows this address can send to it. ${who}\n`
}

function boxJson({ ownerId: _ownerId, addedAt, lastLetterAt, lastRefusal, ...box }: LetterSource): object {
  return {
    ...box,
    addedAt: isoOrNull(addedAt),
    lastLetterAt: isoOrNull(lastLetterAt),
    lastRefusal: lastRefusal && { ...lastRefusal, at: isoOrNull(lastRefusal.at) },
  }
}
