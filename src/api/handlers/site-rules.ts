import type { siteRuleOperations } from '../operations/site-rules.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function siteRuleHandlers({ services }: HandlerDeps): Pick<Handlers, keyof typeof siteRuleOperations> {
  const rules = services.siteRules
  return {
    listSiteRules: async () => ({ rules: [...(await rules.list())] }),
    trySiteRule: async ({ body }) => ({ trials: [...(await rules.try(body.rule, body.items))] }),
    addSiteRule: async ({ body }) => ({ trials: [...(await rules.add(body.rule, body.items))] }),
    async removeSiteRule({ params }) {
      await rules.remove(params.name)
      return undefined
    },
  }
}
