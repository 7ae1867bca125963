import { ACCESS_TABLE, type AccessTable, type Right, type Rule } from '../../src/access/index.ts'

export interface WrongTable {
  readonly words: string
  readonly table: AccessTable
}

const ruleText = ({ action, thing, who, right }: Rule) => `${who} with ${right} may ${action} a ${thing}`

/** Each rule taken away. */
function tablesWithoutRule(): readonly WrongTable[] {
  return ACCESS_TABLE.rules.map((rule) => ({
    words: `without: ${ruleText(rule)}`,
    table: { ...ACCESS_TABLE, rules: ACCESS_TABLE.rules.filter((one) => one !== rule) },
  }))
}

/**
 * The widest rule that no other one covers, for each action and thing. Where everybody who gets as far as the question may do
 * it already, there is none: any user may see, use and publish what is public, and anybody may open it.
 */
const WIDER: readonly Rule[] = [
  { action: 'open', thing: 'private feed', who: 'anybody', right: 'public' },
  { action: 'open', thing: 'hidden feed', who: 'anybody', right: 'public' },
  { action: 'see', thing: 'private feed', who: 'user', right: 'read' },
  { action: 'use', thing: 'private feed', who: 'user', right: 'write' },
  { action: 'publish', thing: 'private feed', who: 'user', right: 'write' },
  { action: 'publish', thing: 'hidden feed', who: 'user', right: 'write' },
  { action: 'change', thing: 'public feed', who: 'user', right: 'write' },
  { action: 'change', thing: 'private feed', who: 'user', right: 'write' },
  { action: 'change', thing: 'built-in feed', who: 'user', right: 'write' },
  { action: 'change', thing: 'hidden feed', who: 'user', right: 'write' },
]

function tablesWithRule(): readonly WrongTable[] {
  return WIDER.map((rule) => ({
    words: `with: ${ruleText(rule)}`,
    table: { ...ACCESS_TABLE, rules: [...ACCESS_TABLE.rules, rule] },
  }))
}

/** Each right taken from a role or a scope, and one given too many. */
function tablesWithOtherRights(): readonly WrongTable[] {
  const changed = (group: 'roles' | 'scopes', name: string, rights: readonly Right[], words: string): WrongTable => ({
    words,
    table: { ...ACCESS_TABLE, [group]: { ...ACCESS_TABLE[group], [name]: rights } },
  })
  const groups = ['roles', 'scopes'] as const
  const less = groups.flatMap((group) =>
    Object.entries(ACCESS_TABLE[group]).flatMap(([name, rights]) =>
      // A user with a further right is known by it: `public` is what strangers have.
      rights
        .filter((right) => right !== 'public')
        .map((right) =>
          changed(
            group,
            name,
            rights.filter((one) => one !== right),
            `${name} without ${right}`,
          ),
        ),
    ),
  )
  return [
    ...less,
    changed('roles', 'member', ACCESS_TABLE.roles.owner, 'member with admin'),
    changed('scopes', 'feed', ACCESS_TABLE.scopes.read, 'feed with read'),
    changed('scopes', 'read', ACCESS_TABLE.scopes.write, 'read with write'),
    changed('scopes', 'write', ACCESS_TABLE.scopes.admin, 'write with admin'),
  ]
}

export const WRONG_TABLES: readonly WrongTable[] = [
  ...tablesWithoutRule(),
  ...tablesWithRule(),
  ...tablesWithOtherRights(),
]
