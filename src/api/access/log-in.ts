import type { FastifyRequest } from 'fastify'
import type { LogInAttempt, LogInLimits } from '../../cluster/log-in-limits.ts'
import type { User } from '../../model/index.ts'
import { TryLater } from '../problem.ts'
import { addressGroup } from './address-group.ts'
import type { KnownDevices } from './known-device.ts'
import { isAtTheMachine } from './origin.ts'
import type { PasswordQueue, PasswordQueues } from './password-desk.ts'

export interface LogInDeps {
  readonly passwords: PasswordQueues
  readonly devices: KnownDevices
  readonly limits: LogInLimits
}

/** Compares passwords, as often as the limits allow and as fast as password-desk.ts does. */
export class LogIn {
  readonly #deps: LogInDeps

  constructor(deps: LogInDeps) {
    this.#deps = deps
  }

  /** Whether it is the password of the account; of one that is not there it never is. Throws TOO_MANY_ATTEMPTS, LOGIN_BUSY. */
  async isRight(account: string, user: User | null, password: string, request: FastifyRequest): Promise<boolean> {
    return this.#try(await this.#attemptOf(account, user, request), user, password)
  }

  /** The same for a user who is logged in already. */
  async isOwn(user: User, session: string, password: string): Promise<boolean> {
    return this.#try({ account: user.name, address: `session ${session}`, isKnown: true }, user, password)
  }

  async #try(attempt: LogInAttempt, user: User | null, password: string): Promise<boolean> {
    const { passwords: desk, limits } = this.#deps
    const waitMs = await limits.admit(attempt)
    if (waitMs > 0) throw new TryLater('TOO_MANY_ATTEMPTS', Math.ceil(waitMs / 1000))
    const lane: PasswordQueue = attempt.isKnown ? 'known' : 'strange'
    let isRight = false
    try {
      isRight = await desk.check(password, user?.passwordHash ?? null, lane)
    } catch (error) {
      await limits.withdraw(attempt)
      throw error
    }
    if (isRight) await limits.succeeded(attempt)
    return isRight
  }

  async #attemptOf(account: string, user: User | null, request: FastifyRequest): Promise<LogInAttempt> {
    const device = await this.#deps.devices.of(request)
    if (device !== null && device.userId === user?.id) return { account, address: `device ${device.id}`, isKnown: true }
    const group = addressGroup(request.ip)
    // Not all of 127.0.0.0/8: other users of the machine would have sixteen million places there.
    const isHere = isAtTheMachine(request) && (group === '127.0.0.1' || request.ip === '::1')
    return { account, address: isHere ? 'machine' : group, isKnown: isHere }
  }
}
