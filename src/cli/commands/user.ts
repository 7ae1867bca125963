import { Command } from 'commander'
import { wishStandings } from '../../app/crawling/wish-shares.ts'
import type { User } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, JSON_OPTION, type JsonOption, json, relative } from '../output.ts'
import { table } from '../table.ts'
import { readWish, standingInWords, wishInWords } from './wish-words.ts'

const SHORTEST_PASSWORD = 10

export function userCommand(context: CliContext): Command {
  return new Command('user')
    .description('Users of the API and the dashboard')
    .addHelpText('after', '\nExamples:\n  $ headwater user list\n  $ headwater user password owner < new-password.txt')
    .addCommand(userListCommand(context))
    .addCommand(passwordCommand(context))
    .addCommand(wishCommand(context))
}

const userJson = ({ id, name, role, createdAt, lastSeenAt }: User) => ({
  id,
  name,
  role,
  createdAt: isoOrNull(createdAt),
  lastSeenAt: isoOrNull(lastSeenAt),
})

function userListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the users')
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater user list')
    .action(async (options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const users = await data.store.users()
        if (options.json) return context.out(json(users.map(userJson)))
        const now = context.clock.now()
        const rows = users.map(({ name, role, lastSeenAt }) => [name, role, relative(lastSeenAt, now)])
        context.out(table(['NAME', 'ROLE', 'LAST SEEN'], rows, context.style))
      }),
    )
}

function wishCommand(context: CliContext): Command {
  return new Command('wish')
    .description(
      'Which quality a user wishes for in all that the user reads, and what that takes; with a quality: set it',
    )
    .argument('<name>', 'of the user')
    .argument('[quality]', 'as delay<10min or completeness>95%, or both with a comma; none')
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExamples:\n  $ headwater user wish owner "delay<10min"\n  $ headwater user wish owner')
    .action(async (name: string, quality: string | undefined, options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const user = await store.userNamed(name)
        if (user === null) throw new HeadwaterError('USER_NOT_FOUND', `${name}; see headwater user list`)
        const wish = quality === undefined ? user.wish : readWish(quality)
        if (quality !== undefined) await store.setWish(user.id, wish)
        const standing = (await wishStandings(store)).get(user.id) ?? null
        if (options.json) return context.out(json({ user: name, wish, standing }))
        if (wish === null) return context.out(`${name} has no wish\n`)
        context.out(`${name} wishes for ${wishInWords(wish)}: ${standingInWords(wish, standing)}\n`)
      }),
    )
}

function passwordCommand(context: CliContext): Command {
  return new Command('password')
    .description('Give a user another password, read from standard input; all sessions of the user end')
    .argument('<name>', 'of the user')
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater user password owner < new-password.txt')
    .action(async (name: string, options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const user = await store.userNamed(name)
        if (user === null) throw new HeadwaterError('USER_NOT_FOUND', `${name}; see headwater user list`)
        const password = await readPassword(context)
        const { hashPassword } = await import('../../runtime/passwords.ts')
        await store.setPassword(user.id, await hashPassword(password))
        await store.closeOtherSessions(user.id, null)
        const entry = { at: context.clock.now(), userId: user.id, userName: user.name, address: null }
        await store.recordAudit([{ ...entry, action: 'password-changed', subject: 'on the command line' }], entry.at)
        context.out(options.json ? json({ changed: user.name }) : `changed the password of ${user.name}\n`)
      }),
    )
}

async function readPassword(context: CliContext): Promise<string> {
  const password = Buffer.from(await context.readStdin())
    .toString()
    .replace(/\r?\n$/, '')
  if (password.length < SHORTEST_PASSWORD) {
    throw new HeadwaterError('USAGE', `a password has at least ${SHORTEST_PASSWORD} characters`)
  }
  return password
}
