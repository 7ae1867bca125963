import { ownsLetterBox } from '../../access/index.ts'
import type { SourceId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { letterOperations } from '../operations/letters.ts'
import type { CallContext, Handlers } from '../routes.ts'
import type { LetterBox } from '../services.ts'
import type { HandlerDeps } from './deps.ts'

export function letterHandlers({
  services: { letters },
  directory,
}: HandlerDeps): Pick<Handlers, keyof typeof letterOperations> {
  /** One of another user is answered like one that is not there. */
  const demandOwn = async (id: SourceId, { user, isAdmin }: CallContext, mayBeOthers = false): Promise<void> => {
    const box = await letters.find(id)
    const isTheirs = box !== null && (ownsLetterBox(user, box.ownerId) || (mayBeOthers && isAdmin))
    if (!isTheirs) throw new HeadwaterError('SOURCE_NOT_FOUND', String(id))
  }

  return {
    listLetters: async (_input, { user }) => {
      const own = (await letters.list()).filter(({ ownerId }) => ownsLetterBox(user, ownerId))
      return { letters: own.map(shown) }
    },
    async addLetters({ body }, { user }) {
      const box = await letters.add(body, user.id)
      directory.forget()
      return { letters: shown(box) }
    },
    async setLetters({ params, body }, call) {
      await demandOwn(params.id, call)
      return { letters: shown(await letters.allow(params.id, body.senders)) }
    },
    async renewLetters({ params }, call) {
      await demandOwn(params.id, call)
      directory.forget()
      return { letters: shown(await letters.renew(params.id)) }
    },
    async revokeLetters({ params }, call) {
      await demandOwn(params.id, call, true)
      await letters.revoke(params.id)
      directory.forget()
      return undefined
    },
  }
}

function shown({ ownerId: _ownerId, ...box }: LetterBox) {
  return box
}
