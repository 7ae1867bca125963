import type { Random } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'

/** What every part of a running program shares. */
export interface Environment {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
