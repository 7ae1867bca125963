import type { ruleOperations } from '../operations/rules.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function ruleHandlers({ services }: HandlerDeps): Pick<Handlers, keyof typeof ruleOperations> {
  return {
    listRules: async (_input, { user }) => ({ rules: [...(await services.rules.list(user.id))] }),
    addRule: ({ body }, { caller }) => services.rules.add(body, caller),
    async removeRule({ params }, { caller }) {
      await services.rules.remove(params.id, caller)
      return undefined
    },
  }
}
