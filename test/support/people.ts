import { SESSION_COOKIE, secretHash } from '../../src/api/access/principal.ts'
import { DAY_MS, type User, type UserRole } from '../../src/model/index.ts'
import { NO_ORIGIN } from '../../src/store/accounts.ts'
import type { Store } from '../../src/store/store.ts'

export interface TestUser {
  readonly user: User
  readonly cookie: string
}

/** Somebody with an account and a session, without the time that a password takes. */
export async function addPerson(store: Store, name: string, role: UserRole, now: number): Promise<TestUser> {
  const user = await store.addUser({ name, role, passwordHash: null, invitation: null }, now)
  if (user === null) throw new Error(`${name} is there already`)
  const secret = `session of ${name}`
  await store.openSession(
    { hash: secretHash(secret), userId: user.id, endsAt: now + 30 * DAY_MS, origin: NO_ORIGIN },
    now,
  )
  return { user, cookie: `${SESSION_COOKIE}=${encodeURIComponent(secret)}` }
}
