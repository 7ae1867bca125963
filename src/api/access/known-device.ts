import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { DAY_MS, SECOND_MS, type UserId } from '../../model/index.ts'
import { randomSecret } from '../../runtime/random.ts'
import { textState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'

const DEVICE_COOKIE = 'headwater_device'
const DEVICE_MS = 400 * DAY_MS
const DEVICE_KEY = textState('device-key')

/** A browser that has logged in before: opens nothing, but strangers who guess do not slow it down (src/cluster/log-in-rules.ts). */
export interface Device {
  readonly userId: UserId
  readonly id: string
}

/** Signed, so that the node need keep nothing about it. */
export class KnownDevices {
  readonly #store: Pick<Store, 'state' | 'agreeOnState'>
  #key: Promise<string> | null = null

  constructor(store: Pick<Store, 'state' | 'agreeOnState'>) {
    this.#store = store
  }

  async of(request: Pick<FastifyRequest, 'headers'>): Promise<Device | null> {
    const { cookie } = request.headers
    const value = cookie === undefined ? undefined : parseCookie(cookie)[DEVICE_COOKIE]
    const [, userId, id, signature] = /^(\d{1,15})\.([\w-]{20,60})\.([\w-]{43})$/.exec(value ?? '') ?? []
    if (userId === undefined || id === undefined || signature === undefined) return null
    const expected = sign(`${userId}.${id}`, await this.#keyOf())
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
    return { userId: Number(userId), id }
  }

  /** For `Set-Cookie`; sent to log-ins only. */
  async cookieFor(userId: UserId, secure: boolean, basePath = ''): Promise<string> {
    const subject = `${userId}.${randomSecret()}`
    return stringifySetCookie({
      name: DEVICE_COOKIE,
      value: `${subject}.${sign(subject, await this.#keyOf())}`,
      httpOnly: true,
      sameSite: 'strict',
      path: `${basePath}/api/session`,
      maxAge: DEVICE_MS / SECOND_MS,
      secure,
    })
  }

  #keyOf(): Promise<string> {
    this.#key ??= this.#readKey()
    this.#key.catch(() => {
      this.#key = null
    })
    return this.#key
  }

  async #readKey(): Promise<string> {
    const known = await this.#store.state(DEVICE_KEY)
    // Of several processes that serve, all must know the browsers that one of them has let in.
    return known === '' ? this.#store.agreeOnState(DEVICE_KEY, randomSecret()) : known
  }
}

function sign(subject: string, key: string): string {
  return createHmac('sha256', key).update(subject).digest('base64url')
}
