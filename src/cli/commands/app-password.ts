import { Command } from 'commander'
import { nodeAddress } from '../../app/node-address.ts'
import type { ApiToken, User } from '../../model/index.ts'
import { tokenSecretHash } from '../../publisher/token-secret.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { Store } from '../../store/store.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, JSON_OPTION, type JsonOption, json, relative } from '../output.ts'
import { table } from '../table.ts'

export function appPasswordCommand(context: CliContext): Command {
  return new Command('app-password')
    .description('Passwords for reader apps on phones and desktops')
    .addHelpText(
      'after',
      '\nExamples:\n  $ headwater app-password create owner --label phone\n  $ headwater app-password list owner',
    )
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
}

interface CreateOptions {
  readonly label?: string
  readonly fever?: boolean
  readonly json?: boolean
}

function createCommand(context: CliContext): Command {
  return new Command('create')
    .description('Make a password for an app; it is shown once and kept only as a hash')
    .argument('<user>', 'whose reading the app shows')
    .option('--label <text>', 'which app it is for, to know it in the list')
    .option('--fever', 'for an app that knows nothing but Fever, whose key is an MD5; it opens nothing else')
    .option('--json', 'print it as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater app-password create owner --label phone')
    .action(async (name: string, options: CreateOptions, command: Command) =>
      withSession(command, context, async ({ config, data: { store } }) => {
        const user = await userNamed(name, store)
        const { id, scope, label, password } = await makePassword(user, options, store, context)
        const node = await nodeAddress(config, store)
        const address = scope === 'fever' ? `${node}/fever/` : node
        if (options.json) return context.out(json({ id, user: user.name, scope, label, password, address }))
        context.out(`${password}\n\nIn the app: address ${address}, user ${user.name}, and this password.\n`)
        context.out('It cannot be shown again.\n')
      }),
    )
}

async function makePassword(user: User, options: CreateOptions, store: Store, context: CliContext) {
  const password = `hw_${randomSecret()}`
  const scope = options.fever === true ? ('fever' as const) : ('app' as const)
  const label = options.label ?? null
  const hash = tokenSecretHash(scope, user.name, password)
  const { id } = await store.addApiToken({ userId: user.id, label, scope, feed: null, hash }, context.clock.now())
  const subject = [`token ${id} of ${user.name}`, scope, label].filter(Boolean).join(', ')
  await recordLocalActions([{ action: 'token-made', subject }], store, context)
  return { id, scope, label, password }
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the app passwords of a user')
    .argument('<user>', 'whose')
    .option('--json', 'print them as JSON')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater app-password list owner')
    .action(async (name: string, options: { json?: boolean }, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const passwords = await passwordsOf(await userNamed(name, store), store)
        if (options.json) return context.out(json(passwords.map(shownPassword)))
        const now = context.clock.now()
        const rows = passwords.map(({ id, label, scope, lastUsedAt, lastOrigin }) => [
          ...[String(id), scope, relative(lastUsedAt, now), lastOrigin.client ?? '', label ?? ''],
        ])
        context.out(table(['ID', 'KIND', 'LAST USED', 'BY', 'LABEL'], rows, context.style))
      }),
    )
}

function shownPassword({ id, label, scope, createdAt, lastUsedAt, lastOrigin }: ApiToken) {
  return {
    ...{ id, label, scope, createdAt: isoOrNull(createdAt), lastUsedAt: isoOrNull(lastUsedAt) },
    client: lastOrigin.client,
  }
}

function revokeCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('Take an app password back; the app is shut out at once')
    .argument('<user>', 'whose')
    .argument('<id>', 'number in the list')
    .option(...JSON_OPTION)
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater app-password revoke owner 3')
    .action(async (name: string, id: string, options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data: { store } }) => {
        const user = await userNamed(name, store)
        const found = (await passwordsOf(user, store)).find((one) => String(one.id) === id)
        if (found === undefined) {
          throw new HeadwaterError('USAGE', `no app password ${id}; see headwater app-password list ${name}`)
        }
        await store.removeApiToken(user.id, found.id)
        await recordLocalActions([{ action: 'token-revoked', subject: `token ${id} of ${user.name}` }], store, context)
        context.out(options.json ? json({ revoked: Number(id) }) : `revoked ${id}\n`)
      }),
    )
}

async function passwordsOf({ id }: User, store: Store) {
  return (await store.apiTokens(id)).filter(({ scope }) => scope === 'app' || scope === 'fever')
}

async function userNamed(name: string, store: Store): Promise<User> {
  const user = await store.userNamed(name)
  if (user === null) throw new HeadwaterError('USER_NOT_FOUND', `${name}; see headwater user list`)
  return user
}
