import { ACCESS_TABLE, type Caller, userAsCaller } from '../../access/index.ts'
import type { RuleService } from '../../api/services.ts'
import type { User } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { createOutputCheck } from '../publishing/outputs.ts'
import { createQueryService } from '../services/queries.ts'
import { createRuleService } from '../services/rules.ts'
import type { Config } from '../settings/config.ts'
import { createAccessReader } from '../users/access.ts'
import { createLimitCheck } from '../users/member-limits.ts'

/** Rules of a user for who works on the store without a node. */
export function openRuleService(
  config: Config,
  store: Store,
  user: Pick<User, 'id' | 'role'>,
  clock: Pick<Clock, 'now'>,
): { readonly rules: RuleService; readonly by: Caller } {
  const access = createAccessReader(store)
  const [outputs, limits] = [createOutputCheck(store, () => config), createLimitCheck(store, () => config)]
  const queries = createQueryService({ store, access, outputs, limits, clock })
  return { rules: createRuleService(store, access, queries), by: userAsCaller(user, ACCESS_TABLE) }
}
