import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { hashPassword } from '../../runtime/passwords.ts'
import type { Store } from '../../store/store.ts'

const SHORTEST = 10

/** First start without a browser: the owner's password comes from the environment. Nothing is done if there is an owner. */
export async function ensureOwner(
  password: string | undefined,
  store: Pick<Store, 'users' | 'addUser'>,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  if (password === undefined || (await store.users()).some(({ role }) => role === 'owner')) return
  if (password.length < SHORTEST) {
    throw new HeadwaterError('USAGE', `HEADWATER_OWNER_PASSWORD has fewer than ${SHORTEST} characters`)
  }
  const passwordHash = await hashPassword(password)
  await store.addUser({ name: 'owner', role: 'owner', passwordHash, invitation: null }, clock.now())
}
