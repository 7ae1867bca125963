import type { AddressRuleService } from '../../api/services.ts'
import type { Store } from '../../store/store.ts'
import { ADDRESS_RULES, addRule, removeRule, removeRulesOf } from '../sources/address-rules.ts'

export function createAddressRules(store: Store): AddressRuleService {
  return {
    async list(userId) {
      const rules = (await store.state(ADDRESS_RULES)).filter(({ ownerId }) => ownerId === null || ownerId === userId)
      return rules.map(({ name, match, give, ownerId }) => ({ name, match, give, isForAll: ownerId === null }))
    },
    add: ({ name, match, give }, ownerId) => addRule({ name, match, give, ownerId }, store),
    remove: (name, ownerId) => removeRule({ name, ownerId }, store),
    removeAllOf: (userId) => removeRulesOf(userId, store),
  }
}
