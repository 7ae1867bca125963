import type { LetterService } from '../../api/services.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'
import type { LimitCheck } from '../users/member-limits.ts'
import { createLetterSources } from './letter-sources.ts'
import { mailDomainOf } from './mail-domain.ts'

/** As the API has it: each is one of the sources that a member may add. */
export function createLetterService(
  store: Store,
  config: () => Config,
  limits: LimitCheck,
  clock: Pick<Clock, 'now'>,
): LetterService {
  const sources = createLetterSources({ store, domain: () => mailDomainOf(config()), clock })
  return { ...sources, add: (source, by) => limits.within(by, 'sources', 1, () => sources.add(source, by)) }
}
