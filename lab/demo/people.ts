import { DAY_MS, type InstantMs, type UserId } from '../../src/model/index.ts'
import { feedPath } from '../../src/publisher/addresses.ts'
import type { Store } from '../../src/store/store.ts'

/** Whoever sits at the machine is her. */
export const DEMO_OWNER = 'ada'
const OTHER = 'ben'

/** As long as there has been something to read. */
const FOLLOWED_MS = 20 * DAY_MS

/** Items that she has not read yet. */
const UNREAD = 60
const STARS = [5, 12, 19, 33]

/** Two people with different interests: she reads everything but sport, he reads sport and traffic. */
export async function invitePeople(store: Store, now: InstantMs): Promise<void> {
  const common = { passwordHash: null, invitation: null }
  const ada = await store.addUser({ ...common, name: DEMO_OWNER, role: 'owner' }, now)
  const ben = await store.addUser({ ...common, name: OTHER, role: 'member' }, now)
  if (ada === null || ben === null) return
  const since = now - FOLLOWED_MS
  for (const category of ['News', 'Science', 'Culture']) await followCategory(ada.id, category, store, since)
  for (const category of ['Sport', 'Services']) await followCategory(ben.id, category, store, since)
  await readAlmostAll(ada.id, store)
}

function followCategory(userId: UserId, category: string, store: Store, since: InstantMs): Promise<unknown> {
  return store.follow({ userId, feed: feedPath({ kind: 'category', category }), since })
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
