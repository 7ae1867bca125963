import { budgetHolder } from '../../cluster/budget-holder.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Controller } from '../../cluster/controller.ts'
import { drawGrants } from '../../cluster/draw-grants.ts'
import { GrantedAllowance } from '../../cluster/granted-allowance.ts'
import type { BudgetTerms } from '../../cluster/grants.ts'
import { type HasLease, holdPrice } from '../../cluster/hold-price.ts'
import { reportSpending } from '../../cluster/report-spending.ts'
import { SharedPrices } from '../../cluster/shared-pricing.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { FundedScheduler, FundScheduler } from './crawling.ts'
import type { BudgetHolder } from './least-budget.ts'

export interface CommonFundingDeps {
  readonly cluster: Pick<Cluster, 'grants' | 'prices'>
  readonly memberId: string
  /**
   * Which of the schedulers that this process has had, one after the other. Each draws under a name of its own: the requests
   * of a member are numbered, and those of a new one, from the beginning again, would count as old ones.
   */
  readonly life: number
  /** Of the lease ('controller', 0). */
  readonly hasLease: HasLease
  readonly clock: SteadyClock
}

export interface CommonFunding {
  readonly scheduler: FundedScheduler
  /** What runs beside the crawl. `wake`: something can be paid for, or the price has moved. */
  layers(wake: () => void): readonly Layer[]
  /** The budget of all, where this process decides about it now. */
  commonBudget(): BudgetHolder | null
}

/** A scheduler whose budget and price are those of all crawlers on the same data (docs/decisions/0094). */
export function fundInCommon(
  deps: CommonFundingDeps,
  newScheduler: (fund: FundScheduler) => FundedScheduler,
): CommonFunding {
  const { cluster, memberId, life, hasLease, clock } = deps
  const { grants, prices } = cluster
  let funded: Funded | null = null
  let controller: Controller | null = null
  const scheduler = newScheduler((strategy, rate) => {
    const terms: BudgetTerms = { ...rate, factor: 1 }
    const shared = new SharedPrices(strategy)
    const allowance = new GrantedAllowance({
      terms,
      monotonicMs: () => clock.monotonicMs(),
      waiting: () => scheduler.backlog,
      waitingSince: () => scheduler.waitingSince,
    })
    funded = { strategy, terms, shared, allowance }
    return { allowance, newPricing: shared.newPricing }
  })
  const { strategy, terms, shared, allowance } = present(funded)
  const drawing = (wake: () => void): Layer => {
    const layer = drawGrants({ memberId: `${memberId}/${life}`, grants, allowance, clock, wake })
    return {
      ...layer,
      async run(signal, succeeded) {
        // All crawlers do so with the same settings: the same terms change nothing.
        await grants.setTerms(terms)
        await layer.run(signal, succeeded)
      },
    }
  }
  const onController = (one: Controller | null) => {
    controller = one
  }
  return {
    scheduler,
    layers: (wake) => [
      drawing(wake),
      reportSpending({ memberId, prices, shared, clock, wake }),
      holdPrice({ strategy, grants, prices, hasLease, clock, onController }),
    ],
    commonBudget: () => (controller === null ? null : budgetHolder(scheduler, controller, grants)),
  }
}

interface Funded {
  readonly strategy: Parameters<FundScheduler>[0]
  readonly terms: BudgetTerms
  readonly shared: SharedPrices
  readonly allowance: GrantedAllowance
}

function present(funded: Funded | null): Funded {
  if (funded === null) throw new Error('a scheduler was made without its funding')
  return funded
}
