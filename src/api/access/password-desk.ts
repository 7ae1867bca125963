import { hashPassword, isPassword } from '../../runtime/passwords.ts'
import { TryLater } from '../problem.ts'

/** `known`: who has shown to belong here; served first, and strangers cannot fill their queue. */
export type PasswordQueue = 'known' | 'strange'

// scrypt runs in libuv's pool of four threads, which zlib and DNS need too: two are left to feeds and fetching.
const AT_ONCE = 2
const LONGEST_QUEUE = 8
const RETRY_AFTER_S = 2

/** Every password of the API is hashed here, at most two at once; a short queue waits, and who comes then is sent away. */
export class PasswordQueues {
  #busy = 0
  readonly #queues: Record<PasswordQueue, (() => void)[]> = { known: [], strange: [] }
  readonly #hash: (password: string) => Promise<string>

  constructor(hash: (password: string) => Promise<string> = hashPassword) {
    this.#hash = hash
  }

  hash(password: string, lane: PasswordQueue): Promise<string> {
    return this.#inTurn(lane, () => this.#hash(password))
  }

  /** Costs the same whether there is a hash or not. */
  check(password: string, hash: string | null, lane: PasswordQueue): Promise<boolean> {
    return this.#inTurn(lane, () => isPassword(password, hash))
  }

  async #inTurn<T>(lane: PasswordQueue, task: () => Promise<T>): Promise<T> {
    if (this.#busy < AT_ONCE) this.#busy += 1
    else await this.#wait(lane)
    try {
      return await task()
    } finally {
      const next = this.#queues.known.shift() ?? this.#queues.strange.shift()
      // The place is passed on, not freed: nobody gets in between.
      if (next === undefined) this.#busy -= 1
      else next()
    }
  }

  #wait(lane: PasswordQueue): Promise<void> {
    const queue = this.#queues[lane]
    if (queue.length >= LONGEST_QUEUE) throw new TryLater('LOGIN_BUSY', RETRY_AFTER_S)
    return new Promise((resolve) => queue.push(resolve))
  }
}
