import type { TokenScope, UserRole } from '../model/index.ts'

/**
 * What a session or a token is good for. `feeds`: opening feeds that are not public. `read`: seeing the node and what it has
 * archived. `write`: keeping things of one's own and adding sources. `admin`: changing what all users share. `apps`: the doors of
 * reader apps (docs/readers.md), behind which its user reads as with all rights. `fever`: the door of Fever, likewise.
 */
export type Right = 'public' | 'feeds' | 'read' | 'write' | 'admin' | 'apps' | 'fever'

/**
 * `open`: get its documents, archive and deltas. `see`: find it in lists, and its items, quality and text in the API.
 * `use`: have a private feed of one's own read it. `publish`: have a public feed of one's own read it. `change`: alter, drop,
 * make private, send elsewhere, give tokens for.
 */
export type Action = 'open' | 'see' | 'use' | 'publish' | 'change'

/** A built-in feed is that of everything, of a category or of a source; a hidden one is not for strangers. */
export type ThingKind = 'public feed' | 'private feed' | 'built-in feed' | 'hidden feed'

/**
 * The relation of a caller to a thing. `token`: shows a token that was made for this very feed. `user`: anybody with an account.
 * `its owner`: the user who made it. `node owner`: the user whose node it is; theirs is what nobody owns.
 */
export type Who = 'anybody' | 'token' | 'user' | 'its owner' | 'node owner'

/** A caller in this relation to such a thing, with this right, may do this. What no rule allows is refused. */
export interface Rule {
  readonly action: Action
  readonly thing: ThingKind
  readonly who: Who
  readonly right: Right
}

/** Who may do what: the one place that decides it, as docs/access.md describes it. */
export interface AccessTable {
  readonly rules: readonly Rule[]
  readonly roles: Readonly<Record<UserRole, readonly Right[]>>
  readonly scopes: Readonly<Record<TokenScope, readonly Right[]>>
}

const rule = (action: Action, thing: ThingKind, who: Who, right: Right): Rule => ({ action, thing, who, right })

export const ACCESS_TABLE: AccessTable = {
  roles: {
    member: ['public', 'feeds', 'read', 'write', 'apps', 'fever'],
    owner: ['public', 'feeds', 'read', 'write', 'admin', 'apps', 'fever'],
  },
  scopes: {
    feed: ['public', 'feeds'],
    read: ['public', 'feeds', 'read'],
    write: ['public', 'feeds', 'read', 'write'],
    admin: ['public', 'feeds', 'read', 'write', 'admin'],
    app: ['public', 'apps'],
    fever: ['public', 'fever'],
  },
  rules: [
    rule('open', 'public feed', 'anybody', 'public'),
    rule('open', 'private feed', 'token', 'feeds'),
    rule('open', 'private feed', 'its owner', 'feeds'),
    rule('open', 'private feed', 'node owner', 'feeds'),
    rule('open', 'built-in feed', 'anybody', 'public'),
    rule('open', 'hidden feed', 'user', 'feeds'),

    rule('see', 'public feed', 'user', 'read'),
    rule('see', 'private feed', 'its owner', 'read'),
    rule('see', 'private feed', 'node owner', 'read'),
    rule('see', 'built-in feed', 'user', 'read'),
    rule('see', 'hidden feed', 'user', 'read'),

    rule('use', 'public feed', 'user', 'write'),
    rule('use', 'private feed', 'its owner', 'write'),
    rule('use', 'private feed', 'node owner', 'write'),
    rule('use', 'built-in feed', 'user', 'write'),
    rule('use', 'hidden feed', 'user', 'write'),

    rule('publish', 'public feed', 'user', 'write'),
    rule('publish', 'private feed', 'its owner', 'write'),
    rule('publish', 'private feed', 'node owner', 'write'),
    rule('publish', 'built-in feed', 'user', 'write'),
    rule('publish', 'hidden feed', 'node owner', 'write'),

    rule('change', 'public feed', 'its owner', 'write'),
    rule('change', 'public feed', 'node owner', 'admin'),
    rule('change', 'private feed', 'its owner', 'write'),
    rule('change', 'private feed', 'node owner', 'admin'),
    rule('change', 'built-in feed', 'node owner', 'admin'),
    rule('change', 'hidden feed', 'node owner', 'admin'),
  ],
}

/** Never more than the user has, and not more than the token was made for; a session has all of its user's. */
export function rightsOf(
  role: UserRole,
  scope: TokenScope = 'admin',
  { roles, scopes }: Pick<AccessTable, 'roles' | 'scopes'> = ACCESS_TABLE,
): ReadonlySet<Right> {
  const own = new Set(roles[role])
  return new Set(scopes[scope].filter((right) => own.has(right)))
}
