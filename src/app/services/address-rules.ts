import type { AddressRuleService } from '../../api/services.ts'
import type { Store } from '../../store/store.ts'
import { ADDRESS_RULES, addRule, removeRule, removeRulesOf } from '../sources/address-rules.ts'

/** Changes one after the other: each reads what the last one wrote. */
export function createAddressRules(store: Store): AddressRuleService {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const next = last.then(change)
    last = next.catch(() => {})
    return next
  }
  return {
    async list(userId) {
      const rules = (await store.state(ADDRESS_RULES)).filter(({ ownerId }) => ownerId === null || ownerId === userId)
      return rules.map(({ name, match, give, ownerId }) => ({ name, match, give, isForAll: ownerId === null }))
    },
    add: ({ name, match, give }, ownerId) => inTurn(() => addRule({ name, match, give, ownerId }, store)),
    remove: (name, ownerId) => inTurn(() => removeRule({ name, ownerId }, store)),
    removeAllOf: (userId) => inTurn(() => removeRulesOf(userId, store)),
  }
}
