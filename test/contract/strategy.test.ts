import { hybrid } from '../../src/refresh/estimators/index.ts'
import { STRATEGIES } from '../../src/refresh/strategies/index.ts'
import { cycleContract, strategyContract } from './strategy.contract.ts'

// The threshold strategies may spend more in a cycle (Algorithm 4.2 then raises τ); the others know no budget.
const BOUNDED = new Set(['uniform', 'only-sat', 'top-k-utility'])

for (const { id, priced, cycle } of STRATEGIES) {
  if (priced !== undefined) strategyContract(() => priced(hybrid()))
  if (cycle !== undefined) {
    cycleContract(
      () => cycle(hybrid()),
      BOUNDED.has(id),
      () => hybrid().start({ ratePerHour: 0.5, at: 0 }),
    )
  }
}
