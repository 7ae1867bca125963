import { HeadwaterError } from '../../runtime/errors.ts'
import type { addressRuleOperations } from '../operations/address-rules.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function addressRuleHandlers({ services }: HandlerDeps): Pick<Handlers, keyof typeof addressRuleOperations> {
  const rules = services.addressRules
  return {
    listAddressRules: async (_input, { user }) => ({
      rules: (await rules.list(user.id)).map((rule) => ({ ...rule, give: [...rule.give] })),
    }),
    async addAddressRule({ body }, { user, isAdmin }) {
      await rules.add(body, ownerOf(body.isForAll, user.id, isAdmin))
      return body
    },
    async removeAddressRule({ params, query }, { user, isAdmin }) {
      await rules.remove(params.name, ownerOf(query.isForAll === true, user.id, isAdmin))
      return undefined
    },
  }
}

/** null: for all. A rule for all leads everybody's additions where its maker likes. */
function ownerOf(isForAll: boolean, userId: number, isAdmin: boolean): number | null {
  if (isForAll && !isAdmin) throw new HeadwaterError('RIGHT_MISSING', 'admin, for a rule that holds for all')
  return isForAll ? null : userId
}
