import { hybrid } from '../../src/refresh/estimators/index.ts'
import { STRATEGIES } from '../../src/refresh/strategies/index.ts'
import { strategyContract } from './strategy.contract.ts'

for (const entry of STRATEGIES) {
  const { priced } = entry
  if (priced !== undefined) strategyContract(() => priced(hybrid()))
}
