import type { LiveListView, MovingService } from '../../api/services.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import type { Store } from '../../store/store.ts'
import { exportedItems } from '../export/export-items.ts'
import { addLiveList, LIVE_LISTS, type LiveList, removeLiveList } from '../sources/live-lists.ts'

export function createMovingService(store: Store): MovingService {
  return {
    exportItems: (userId, choice) => exportedItems(userId, choice, store),
    lists: async () => (await store.state(LIVE_LISTS)).map(viewOf),
    addList: async (url, category) => viewOf(await addLiveList(url, category, store)),
    async removeList(url) {
      const list = (await store.state(LIVE_LISTS)).find((one) => withoutCredentials(one.url) === url)
      await removeLiveList(list?.url ?? url, store)
    },
  }
}

function viewOf({ url, category, members, left, checkedAt, failure }: LiveList): LiveListView {
  const sources = Object.keys(members).length - left.length
  return { url: withoutCredentials(url), category, sources, left: left.length, checkedAt, failure }
}
