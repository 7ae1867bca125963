import type { Right } from '../../access/index.ts'
import type { ApiToken, TokenScope } from '../../model/index.ts'
import { tokenSecretHash } from '../../publisher/token-secret.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { secretHash } from '../access/principal.ts'
import { tokenOf } from '../credentials.ts'
import type { tokenOperations } from '../operations/session.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'
import { feedSeenBy } from './feed-rights.ts'

const NEEDED: Readonly<Record<TokenScope, Right>> = {
  ...{ feed: 'write', app: 'write', fever: 'write' },
  ...{ read: 'read', write: 'write', admin: 'admin' },
}

export function tokenHandlers(deps: HandlerDeps): Pick<Handlers, keyof typeof tokenOperations> {
  const { store, services, clock, events } = deps
  const tokenRow = ({ hash: _hash, userId: _userId, lastOrigin, ...token }: ApiToken) => ({ ...token, ...lastOrigin })
  return {
    listTokens: async (_input, { user }) => ({ tokens: (await store.apiTokens(user.id)).map(tokenRow) }),
    async addToken({ body }, call) {
      const { user, principal } = call
      // A token that was lost must not be able to make better ones.
      if (!principal?.rights.has(NEEDED[body.scope])) {
        throw new HeadwaterError('RIGHT_MISSING', `${body.scope}, to make such a token`)
      }
      if (body.feed !== null) {
        if (body.scope !== 'feed') throw new HeadwaterError('REQUEST_INVALID', 'body.feed: for scope feed only')
        await feedSeenBy(body.feed, call, deps)
      }
      const secret = `hw_${randomSecret()}`
      const newToken = { ...body, userId: user.id, hash: tokenSecretHash(body.scope, user.name, secret) }
      const token = await services.limits.within(user.id, 'tokens', 1, () => store.addApiToken(newToken, clock.now()))
      return { token: tokenRow(token), secret }
    },
    async removeTokens(_input, { user, request }) {
      const token = tokenOf(request.headers.authorization, undefined)
      const removed = await store.removeOtherApiTokens(user.id, token === null ? null : secretHash(token))
      await events.review()
      return { removed }
    },
    async removeToken({ params }, { user }) {
      const removed = await store.removeApiToken(user.id, params.id)
      if (!removed) throw new HeadwaterError('TOKEN_NOT_FOUND', String(params.id))
      await events.review()
      return undefined
    },
  }
}
