import { DAY_MS, type InstantMs, type UserId } from '../../src/model/index.ts'
import { type FeedAddress, feedPath } from '../../src/publisher/addresses.ts'
import type { Store } from '../../src/store/store.ts'

/** Whoever sits at the machine is her. */
export const DEMO_OWNER = 'ada'
const OTHER = 'ben'

/** As long as there has been something to read. */
const FOLLOWED_MS = 20 * DAY_MS

/** Items that she has not read yet. */
const UNREAD = 60
const STARS = [5, 12, 19, 33]

/** Two people with different interests: she reads news and science, he sport and what moves in the harbour. */
export async function invitePeople(store: Store, now: InstantMs): Promise<void> {
  const common = { passwordHash: null, invitation: null }
  const ada = await store.addUser({ ...common, name: DEMO_OWNER, role: 'owner' }, now)
  const ben = await store.addUser({ ...common, name: OTHER, role: 'member' }, now)
  if (ada === null || ben === null) return
  const since = now - FOLLOWED_MS
  const follow = (userId: UserId, address: FeedAddress) => store.follow({ userId, feed: feedPath(address), since })
  for (const category of ['News', 'Science', 'Culture']) await follow(ada.id, { kind: 'category', category })
  for (const name of ['emergencies', 'confirmed']) await follow(ada.id, { kind: 'query', name })
  for (const category of ['Sport', 'Services']) await follow(ben.id, { kind: 'category', category })
  for (const name of ['harbour', 'ferries', 'emergencies']) await follow(ben.id, { kind: 'query', name })
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
