import type { LiveScheduler } from '../refresh/scheduler/live-scheduler.ts'
import type { Budget } from '../refresh/strategy.ts'
import type { Controller } from './controller.ts'
import type { GrantStore } from './grants.ts'

/**
 * The budget of a cluster, as whoever holds a wished quality sees it: the sources of this process stand for all, because
 * sources are spread by hash, and what is decided is decided for all.
 */
export function budgetHolder(
  scheduler: Pick<LiveScheduler, 'beliefs'>,
  controller: Controller,
  grants: Pick<GrantStore, 'standing' | 'setTerms'>,
) {
  return {
    beliefs: (most: number) => scheduler.beliefs(most),
    get size() {
      return controller.sourceCount
    },
    async setBudget(budget: Budget, _now: number, price: number | null = null): Promise<void> {
      const standing = await grants.standing()
      if (standing === null) return
      const terms = { ...standing.terms, budget }
      await grants.setTerms(terms)
      controller.setTerms(terms, price)
    },
  }
}
