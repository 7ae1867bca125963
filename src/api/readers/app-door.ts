import type { FastifyRequest } from 'fastify'
import { ACCESS_TABLE, type AccessTable, type Caller, type Right, userAsCaller } from '../../access/index.ts'
import type { LogInLimits } from '../../cluster/log-in-limits.ts'
import { MINUTE_MS, type User } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { addressGroup } from '../access/address-group.ts'
import { type AccountReader, principalByToken, secretHash } from '../access/principal.ts'
import { TryLater } from '../problem.ts'

/** Who reads with an app. */
export interface Reader {
  readonly user: User
  /** With all that the user may: what an app can ask for is reading. */
  readonly caller: Caller
  readonly isAdmin: boolean
  /** As it was shown. */
  readonly secret: string
}

export interface AppDoorDeps {
  readonly store: AccountReader
  readonly clock: Clock
  readonly limits: Pick<LogInLimits, 'countRequest'>
  readonly table?: AccessTable | undefined
}

/** Passwords are random and long: a limit keeps those who guess from costing much, not from guessing right. */
const WRONG_PER_MINUTE = 30
/** newsboat asks once for each feed, and people follow thousands. */
const REQUESTS_PER_MINUTE = 12_000
const MOST_COUNTED = 10_000

export interface AppDoor {
  /** null: no such password of this kind, or it is another user's than `name`. Throws TOO_MANY_ATTEMPTS. */
  open(secret: string, right: Right, request: FastifyRequest, name?: string): Promise<Reader | null>
}

/** Lets reader apps in by passwords of their own kind, and nobody by a session: a page of another site could use that. */
export function createAppDoor({ store, clock, limits, table = ACCESS_TABLE }: AppDoorDeps): AppDoor {
  let minute = Number.NEGATIVE_INFINITY
  const counts = new Map<string, number>()
  const count = (hash: string) => {
    const now = Math.floor(clock.monotonicMs() / MINUTE_MS)
    if (now !== minute || counts.size > MOST_COUNTED) counts.clear()
    minute = now
    const requests = (counts.get(hash) ?? 0) + 1
    counts.set(hash, requests)
    if (requests > REQUESTS_PER_MINUTE) throw new TryLater('TOO_MANY_ATTEMPTS', MINUTE_MS / 1_000)
  }
  const refuse = async (request: FastifyRequest) => {
    const key = `app ${addressGroup(request.ip)}`
    const { count: wrong, endsInMs } = await limits.countRequest({ key, max: WRONG_PER_MINUTE, windowMs: MINUTE_MS })
    if (wrong > WRONG_PER_MINUTE) throw new TryLater('TOO_MANY_ATTEMPTS', Math.ceil(endsInMs / 1_000))
    return null
  }
  return {
    async open(secret, right, request, name) {
      const hash = secretHash(secret)
      const principal = await principalByToken(hash, store, clock, request, table)
      if (principal === null || !principal.rights.has(right)) return refuse(request)
      const { user } = principal
      if (name !== undefined && name.trim().toLowerCase() !== user.name.toLowerCase()) return refuse(request)
      count(hash)
      const caller = userAsCaller(user, table)
      return { user, caller, isAdmin: caller.rights.has('admin'), secret }
    },
  }
}
