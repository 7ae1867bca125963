import type { InstantMs, UserId } from '../../src/model/index.ts'
import type { Store } from '../../src/store/store.ts'

/** Whoever sits at the machine is her. */
export const DEMO_OWNER = 'ada'
const OTHER = 'ben'

/** Items that she has not read yet. */
const UNREAD = 60
const STARS = [5, 12, 19, 33]

/** Two people with different interests: she reads everything but sport, he reads sport and traffic. */
export async function invitePeople(store: Store, now: InstantMs): Promise<void> {
  const common = { passwordHash: null, invitation: null }
  const ada = await store.addUser({ ...common, name: DEMO_OWNER, role: 'owner' }, now)
  const ben = await store.addUser({ ...common, name: OTHER, role: 'member' }, now)
  if (ada === null || ben === null) return
  for (const feed of ['category/News', 'category/Science', 'category/Culture'])
    await store.follow({ userId: ada.id, feed, since: now })
  for (const feed of ['category/Sport', 'category/Services']) await store.follow({ userId: ben.id, feed, since: now })
  await readAlmostAll(ada.id, store)
}

async function readAlmostAll(userId: UserId, store: Store): Promise<void> {
  const last = await store.lastItemSeq()
  await store.markAllRead(userId, { kind: 'all' }, Math.max(0, last - UNREAD))
  await store.markItems(
    userId,
    STARS.map((back) => last - UNREAD - back).filter((seq) => seq > 0),
    { isStarred: true },
  )
}
