import { Readable } from 'node:stream'
import type { movingOperations } from '../operations/moving.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function movingHandlers({ services }: HandlerDeps): Pick<Handlers, keyof typeof movingOperations> {
  const { moving } = services
  return {
    async exportItems({ query: { starred, since } }, { user }) {
      const choice = { starredOnly: starred === true, since: since ?? Number.NEGATIVE_INFINITY }
      return {
        body: Readable.from(moving.exportItems(user.id, choice)),
        headers: { 'content-disposition': `attachment; filename="${starred === true ? 'starred' : 'items'}.json"` },
      }
    },
    listLiveLists: async () => ({ lists: [...(await moving.lists())] }),
    addLiveList: async ({ body }) => moving.addList(body.url, body.category),
    async removeLiveList({ query }) {
      await moving.removeList(query.url)
      return undefined
    },
  }
}
