import { Command, InvalidArgumentError } from 'commander'
import { nodeAddress } from '../../app/node-address.ts'
import { tokenSecretHash } from '../../publisher/token-secret.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { type CliSession, DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { json } from '../output.ts'
import { WITHOUT_COLOURS } from '../style.ts'
import type { ApiReader } from '../top/node-client.ts'
import { userCalled } from './user-called.ts'

interface TopOptions {
  readonly url?: string
  readonly once?: boolean
  readonly json?: boolean
  readonly every: number
}

/** What its tokens are called; those that a killed one has left are known by it. */
const LABEL = 'headwater top'
/** Where the output is no terminal. */
const PAPER = { columns: 120, rows: 50 }

export function topCommand(context: CliContext): Command {
  return new Command('top')
    .description(
      'What a running node does now: refreshes and their reasons, spending, what is next; Ctrl-C or q ends it',
    )
    .option('--url <url>', 'of the node (default: where the node of the data folder serves)')
    .option('--every <seconds>', 'how often it is drawn again', seconds, 2)
    .option('--once', 'print one page and end; so it does where the output is no terminal')
    .option('--json', 'print what the page shows as JSON, once')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText(
      'after',
      `
It reads the API of the node. HEADWATER_TOKEN opens one on another machine (a token of scope read, from the page Settings);
otherwise the data folder gives a token for as long as it runs. Examples:
  $ headwater top
  $ headwater top --once
  $ HEADWATER_TOKEN=hw_… headwater top --url https://feeds.example.org`,
    )
    .action(async (options: TopOptions, command: Command) => {
      const { nodeClient } = await import('../top/node-client.ts')
      const given = context.env['HEADWATER_TOKEN']
      const url = options.url?.replace(/\/+$/, '')
      if (given) return show(nodeClient(url ?? 'http://127.0.0.1:8080', given, context.signal), options, context)
      await withSession(command, context, async (session) => {
        const address = url ?? (await nodeAddress(session.config, session.data.store))
        await withOwnToken(session, context, (token) =>
          show(nodeClient(address, token, context.signal), options, context),
        )
      })
    })
}

function seconds(text: string): number {
  const value = Number(text)
  if (!(value >= 0.2 && value <= 3_600)) throw new InvalidArgumentError('Give 0.2 to 3600 seconds.')
  return value
}

/** Whoever may write to the data may look; the token ends with the command. */
async function withOwnToken(
  { data: { store } }: CliSession,
  context: CliContext,
  act: (token: string) => Promise<void>,
): Promise<void> {
  const owner = await userCalled(undefined, store)
  if (owner === null) throw new HeadwaterError('USER_NOT_FOUND', 'the node has no owner yet')
  for (const { id, label } of await store.apiTokens(owner.id)) {
    if (label === LABEL) await store.removeApiToken(owner.id, id)
  }
  const token = `hw_${randomSecret()}`
  const hash = tokenSecretHash('read', owner.name, token)
  const made = { userId: owner.id, label: LABEL, scope: 'read' as const, feed: null, hash }
  const { id } = await store.addApiToken(made, context.clock.now())
  const subject = `token ${id} of ${owner.name}, read, ${LABEL}`
  await recordLocalActions([{ action: 'token-made', subject }], store, context)
  await act(token).finally(() => store.removeApiToken(owner.id, id))
}

async function show(client: ApiReader, options: TopOptions, context: CliContext): Promise<void> {
  const { readNow } = await import('../top/snapshot.ts')
  const { topPage } = await import('../top/page.ts')
  const style = context.style ?? WITHOUT_COLOURS
  if (options.json) return context.out(json(await readNow(client)))
  const { screen } = context
  if (options.once || screen === undefined) {
    return context.out(`${topPage(await readNow(client), PAPER, style).join('\n')}\n`)
  }
  const ending = AbortSignal.any([context.signal, screen.open()])
  try {
    while (!ending.aborted) {
      screen.draw(topPage(await readNow(client), screen.size(), style))
      await context.clock.sleep(options.every * 1_000, ending)
    }
  } catch (error) {
    if (!ending.aborted) throw error
  } finally {
    screen.close()
  }
}
