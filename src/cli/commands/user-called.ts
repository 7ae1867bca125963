import type { User } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'

/** By name, or the owner of the node; null: nobody has made an account yet. */
export async function userCalled(
  name: string | undefined,
  store: Pick<Store, 'users' | 'userNamed'>,
): Promise<User | null> {
  if (name === undefined) return (await store.users()).find(({ role }) => role === 'owner') ?? null
  const user = await store.userNamed(name)
  if (user === null) throw new HeadwaterError('USER_NOT_FOUND', name)
  return user
}
