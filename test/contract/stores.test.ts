import { describe } from 'vitest'
import { describeAccounts } from './accounts.contract.ts'
import { describeBuffer } from './buffer.contract.ts'
import { describeDeadLetters } from './dead-letters.contract.ts'
import { describeFence } from './fence.contract.ts'
import { describeHub } from './hub.contract.ts'
import { describeIcons } from './icons.contract.ts'
import { describeIntake } from './intake.contract.ts'
import { describeItemPages } from './item-pages.contract.ts'
import { describeLeases } from './leases.contract.ts'
import { describeNodeState } from './node-state.contract.ts'
import { describeOrder } from './order.contract.ts'
import { describeOrigins } from './origins.contract.ts'
import { describePushes } from './pushes.contract.ts'
import { describeQuality } from './quality.contract.ts'
import { describeQueryFeeds } from './query-feeds.contract.ts'
import { describeReaders } from './readers.contract.ts'
import { describeReadingList } from './reading-list.contract.ts'
import { describeScheduling } from './scheduling.contract.ts'
import { describeSearch } from './search.contract.ts'
import { describeStore } from './store.contract.ts'
import { type Adapter, STORE_ADAPTERS } from './store.fixture.ts'

/** What every store must do, whatever it is made of. */
const SUITES: readonly ((adapter: Adapter) => void)[] = [
  describeStore,
  describeScheduling,
  describeNodeState,
  describeSearch,
  describeBuffer,
  describeReaders,
  describeOrder,
  describeQueryFeeds,
  describeDeadLetters,
  describeQuality,
  describeAccounts,
  describeReadingList,
  describeIntake,
  describeItemPages,
  describeIcons,
  describePushes,
  describeHub,
  describeOrigins,
  describeLeases,
  describeFence,
]

for (const adapter of STORE_ADAPTERS) {
  const { name, skipReason } = adapter
  describe.skipIf(skipReason !== undefined)(skipReason === undefined ? name : `${name}: ${skipReason}`, () => {
    for (const suite of SUITES) suite(adapter)
  })
}
