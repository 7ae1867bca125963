import { describeAccounts } from './accounts.contract.ts'
import { describeBuffer } from './buffer.contract.ts'
import { describeIntake } from './intake.contract.ts'
import { describeQuality } from './quality.contract.ts'
import { describeQueryFeeds } from './query-feeds.contract.ts'
import { describeScheduling } from './scheduling.contract.ts'
import { describeSearch } from './search.contract.ts'
import { describeStore } from './store.contract.ts'
import { memoryAdapter, sqliteAdapter } from './store.fixture.ts'

for (const adapter of [memoryAdapter, sqliteAdapter]) {
  describeStore(adapter)
  describeScheduling(adapter)
  describeSearch(adapter)
  describeBuffer(adapter)
  describeQueryFeeds(adapter)
  describeQuality(adapter)
  describeAccounts(adapter)
  describeIntake(adapter)
}
