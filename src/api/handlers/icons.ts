import type { iconOperations } from '../operations/icons.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function iconHandlers({ icons }: HandlerDeps): Pick<Handlers, keyof typeof iconOperations> {
  return {
    async listIcons({ query }) {
      const paths = await icons.paths(query.sources)
      return { icons: [...paths].map(([sourceId, path]) => ({ sourceId, path })) }
    },
  }
}
