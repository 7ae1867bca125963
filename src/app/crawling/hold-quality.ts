import { type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import type { QualityBounds } from '../../refresh/least-budget.ts'
import type { Budget } from '../../refresh/strategy.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { adjustBudget, type BudgetHolder } from './least-budget.ts'
import { adjustParts, type WishDeps } from './wish-shares.ts'

const FIRST_AFTER_MS: DurationMs = 10 * MINUTE_MS
const EVERY_MS = HOUR_MS
/** How soon a wish that was changed is seen. */
const LOOK_EVERY_MS = MINUTE_MS

export interface HoldDeps extends Omit<WishDeps, 'scheduler' | 'clock'> {
  readonly scheduler: WishDeps['scheduler'] & BudgetHolder
  /** Where several processes share a budget: it, in the one that decides about it now, and null in the others. */
  readonly commonBudget?: () => BudgetHolder | null
  /** For the whole node; null: all of the budget is spent. */
  readonly wish: QualityBounds | null
  /** Never more than this. */
  readonly most: Budget
  readonly store: WishDeps['store'] & Pick<Store, 'queryRevision'>
  readonly clock: Clock
}

/** Finds what wished qualities take, of the node, of users and of query feeds, again every hour, and holds it. */
export async function holdQuality(deps: HoldDeps, signal: AbortSignal): Promise<void> {
  const { clock, wish, most } = deps
  let budget = most
  let wishes = ''
  let adjustAt: InstantMs = clock.now() + FIRST_AFTER_MS
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal)
    const now = clock.now()
    const isDue = now >= adjustAt || adjustAt - now > EVERY_MS
    const before = wishes
    wishes = await wishesKey(deps.store)
    if (signal.aborted || (!isDue && wishes === before)) continue
    const holder = deps.commonBudget === undefined ? deps.scheduler : deps.commonBudget()
    if (isDue && wish !== null && holder !== null) {
      budget = (await adjustBudget({ ...deps, scheduler: holder, wish }, signal)) ?? budget
    }
    if (signal.aborted) return
    await adjustParts(deps, budget, signal)
    if (isDue) adjustAt = clock.now() + EVERY_MS
  }
}

/** Another one whenever a wish may have changed; costs little, however many query feeds there are. */
async function wishesKey(store: Pick<Store, 'queryRevision' | 'users'>): Promise<string> {
  const users = await store.users()
  return JSON.stringify([await store.queryRevision(), users.map(({ id, wish }) => [id, wish])])
}
