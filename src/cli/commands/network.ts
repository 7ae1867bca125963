import { Command } from 'commander'
import type { NetworkService, NetworkView } from '../../app/network/network-service.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { type CliSession, DATA_OPTION, option, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { fetchingPolitely } from '../polite-fetching.ts'
import { networkWords, proposalWords } from './network-words.ts'

export function networkCommand(context: CliContext): Command {
  return new Command('network')
    .description('Other Headwater nodes: whom to follow, and with whom to share the polling')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater network join https://feeds.example.org
  $ headwater network status
  $ headwater network trust https://feeds.example.org`,
    )
    .addCommand(statusCommand(context))
    .addCommand(joinCommand(context))
    .addCommand(leaveCommand(context))
    .addCommand(trustCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(rotateCommand(context))
}

type Act = (service: NetworkService, session: CliSession) => Promise<void>

/** Runs an action with what the API uses, too. */
function withNetwork(command: Command, context: CliContext, act: Act): Promise<void> {
  return withSession(command, context, (session) =>
    fetchingPolitely(session, context, async (fetcher) => {
      const { createNetworkService } = await import('../../app/network/network-service.ts')
      const { nodeAddress } = await import('../../app/node-address.ts')
      const { config, data } = session
      const baseUrl = () => nodeAddress(config, data.store)
      const isOn = () => config.network
      await act(createNetworkService({ data, fetcher, clock: context.clock, baseUrl, isOn }), session)
    }),
  )
}

function record(subject: string, { data }: CliSession, context: CliContext): Promise<void> {
  return recordLocalActions([{ action: 'settings-changed', subject: subject.slice(0, 200) }], data.store, context)
}

function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description('Nodes that this one knows, what it follows of them, what is proposed, and who shares the polling')
    .option('--json', 'print it as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater network status')
    .action(async (options: { json?: boolean }, command: Command) =>
      withNetwork(command, context, async (service) => {
        const view = await service.show()
        context.out(options.json ? json(view) : networkWords(view, context.clock.now(), context.style))
      }),
    )
}

interface JoinOptions {
  readonly alpha?: number
  readonly radius?: number
  readonly yes?: boolean
  readonly json?: boolean
}

function joinCommand(context: CliContext): Command {
  return new Command('join')
    .description('Get to know nodes, and follow what fits best once you have confirmed it')
    .argument('<url...>', 'addresses of nodes')
    .option(
      '--alpha <number>',
      'how much being alike counts against being near (default: 4)',
      option(numberUpTo(1_000)),
    )
    .option('--radius <number>', 'how unlike a parent may be, from 0 to 1 (default: 0.95)', option(numberUpTo(1)))
    .option('--yes', 'follow what is proposed without asking')
    .option('--json', 'print what is proposed as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater network join https://feeds.example.org --alpha 20 --yes')
    .action(async (urls: string[], options: JoinOptions, command: Command) =>
      withNetwork(command, context, async (service, session) => {
        const joined = await service.join(urls, termsOf(options))
        await record(`network join ${urls.join(' ')}`, session, context)
        const view = await service.show()
        context.out(options.json ? json(view) : proposalWords(view, context.style))
        demandReached(joined, view)
        const feeds = proposedFeeds(view)
        if (feeds.length === 0 || !(await isConfirmed(options, context))) return
        const { followed, paused } = await service.apply(feeds)
        await record(`network: ${followed.length} feeds followed, ${paused.length} paused`, session, context)
        if (!options.json) context.out(`Followed ${followed.length}, paused ${paused.length}.\n`)
      }),
    )
}

function termsOf({ alpha, radius }: JoinOptions): Pick<JoinOptions, 'alpha' | 'radius'> {
  return { ...(alpha !== undefined && { alpha }), ...(radius !== undefined && { radius }) }
}

function numberUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (value >= 0 && value <= most) return value
    throw new HeadwaterError('USAGE', `a number from 0 to ${most} is expected, not "${text}"`)
  }
}

/** Where none of them could be read, nothing was joined. */
function demandReached(urls: readonly string[], { nodes }: NetworkView): void {
  const failures = nodes.flatMap(({ url, failure }) => (urls.includes(url) ? [failure] : []))
  const [first] = failures
  if (first && failures.every((failure) => failure !== null)) {
    throw new HeadwaterError('NETWORK_NOT_REACHED', `${first.code}: ${first.message}`)
  }
}

function proposedFeeds({ proposal }: NetworkView): readonly string[] {
  return proposal === null ? [] : [...proposal.follow.map(({ url }) => url), ...proposal.leave]
}

/** Nothing is followed that nobody has confirmed. */
async function isConfirmed({ yes, json: isJson }: JoinOptions, context: CliContext): Promise<boolean> {
  if (yes === true) return true
  if (context.ask === null || isJson === true) {
    if (isJson !== true) context.out('Nothing is followed yet: run it with --yes, or at a terminal.\n')
    return false
  }
  return /^y(es)?$/i.test((await context.ask('Follow them? [y/N] ')).trim())
}

function leaveCommand(context: CliContext): Command {
  return new Command('leave')
    .description('Forget a node; what is followed of it stays a source')
    .argument('<url>', 'as in the status')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater network leave https://feeds.example.org')
    .action(async (url: string, options: JsonOption, command: Command) =>
      withNetwork(command, context, async (service, session) => {
        await service.leave(url)
        await record(`network leave ${url}`, session, context)
        context.out(options.json ? json({ left: url }) : `No longer knows ${url}\n`)
      }),
    )
}

function trustCommand(context: CliContext): Command {
  return new Command('trust')
    .description('Trust a node: sources that both have are polled by one of the two, once it trusts this node as well')
    .argument('<url>', 'its address')
    .option('--fingerprint <text>', 'of its key, as its operator says; another one is refused')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater network trust https://feeds.example.org')
    .action(async (url: string, options: JsonOption & { fingerprint?: string }, command: Command) =>
      withNetwork(command, context, async (service, session) => {
        const trusted = await service.trust(url, options.fingerprint ?? null)
        await record(`network trust ${trusted.node} ${trusted.url}`, session, context)
        if (options.json) return context.out(json(trusted))
        context.out(
          `Trusts ${trusted.url}, whose key is\n  ${trusted.fingerprint}\nCompare it with what its operator sees.\n`,
        )
      }),
    )
}

function revokeCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('Trust a node no longer')
    .argument('<node>', 'its name or address, as in the status')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater network revoke https://feeds.example.org')
    .action(async (node: string, options: JsonOption, command: Command) =>
      withNetwork(command, context, async (service, session) => {
        await service.revoke(node)
        await record(`network revoke ${node}`, session, context)
        context.out(options.json ? json({ revoked: node }) : `No longer trusts ${node}\n`)
      }),
    )
}

function rotateCommand(context: CliContext): Command {
  return new Command('rotate')
    .description('Take a new key, which the old one vouches for')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater network rotate')
    .action(async (options: JsonOption, command: Command) =>
      withNetwork(command, context, async (service, session) => {
        const print = await service.rotate()
        await record('network key', session, context)
        if (options.json) return context.out(json({ fingerprint: print }))
        context.out(`The key is now\n  ${print}\nNodes that trust this one follow it within an hour.\n`)
      }),
    )
}
