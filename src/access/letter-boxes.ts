import type { User, UserId } from '../model/index.ts'

/**
 * Whose address it is that letters are sent to: only they see and change it, for who knows it can write into the archive. What
 * nobody owns is the node owner's.
 */
export function ownsLetterBox(user: Pick<User, 'id' | 'role'>, ownerId: UserId | null): boolean {
  return ownerId === null ? user.role === 'owner' : user.id === ownerId
}
