import { ACCESS_TABLE, userAsCaller } from '../../access/index.ts'
import type { RuleService } from '../../api/services.ts'
import type { User } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { createOutputCheck } from '../publishing/outputs.ts'
import type { Config } from '../settings/config.ts'
import { createAccessReader } from '../users/access.ts'
import { createLimitCheck } from '../users/member-limits.ts'
import { createQueryService } from './queries.ts'
import { createRuleService } from './rules.ts'

/** Rules of one user, for who works on the store without a node. */
export interface OwnRules {
  list(): ReturnType<RuleService['list']>
  add(rule: Parameters<RuleService['add']>[0]): ReturnType<RuleService['add']>
  remove(id: number): Promise<void>
}

export function openRules(
  config: Config,
  store: Store,
  user: Pick<User, 'id' | 'role'>,
  clock: Pick<Clock, 'now'>,
): OwnRules {
  const access = createAccessReader(store)
  const [outputs, limits] = [createOutputCheck(store, () => config), createLimitCheck(store, () => config)]
  const queries = createQueryService({ store, access, outputs, limits, clock })
  const rules = createRuleService(store, access, queries)
  const by = userAsCaller(user, ACCESS_TABLE)
  return {
    list: () => rules.list(user.id),
    add: (rule) => rules.add(rule, by),
    remove: (id) => rules.remove(id, by),
  }
}
