import { createNotifier, type Notifier } from '../../src/buffer/notifier.ts'
import { type Channel, DELIVERY_DONE } from '../../src/publisher/channels/channel.ts'
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../src/publisher/channels/delivery.ts'
import { outgoingItems } from '../../src/publisher/channels/outgoing.ts'
import { ownDeliveryStore } from '../../src/publisher/channels/own-deliveries.ts'
import { createDeliveries, type Deliveries } from '../../src/publisher/channels/runner.ts'
import { type Channels, createSender } from '../../src/publisher/channels/send.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import type { Store } from '../../src/store/store.ts'

const nowhere: Channel = { mostItems: () => 10, deliver: async () => DELIVERY_DONE, close: async () => {} }

interface DeliveryOptions extends Partial<DeliveryPolicy> {
  readonly clock?: Clock
  readonly notifier?: Notifier
}

/** The deliveries of a node, with pauses of milliseconds. */
export function deliveriesOver(
  store: Store,
  channels: Partial<Channels>,
  { clock = systemClock, notifier = createNotifier(clock), ...policy }: DeliveryOptions = {},
): Deliveries {
  return createDeliveries({
    store: ownDeliveryStore(store, async () => {}),
    sender: createSender({
      channels: { webhook: nowhere, file: nowhere, mail: nowhere, webpush: nowhere, ...channels },
      present: (feed, entries) => outgoingItems(feed, entries, store, { isWhole: false }),
      feedUrl: (name) => `http://node.example/feeds/${name}`,
    }),
    shows: async () => true,
    notifier,
    clock,
    random: seededRandom(1),
    logger: silentLogger,
    policy: { ...DELIVERY_POLICY, firstPauseMs: 10, longestPauseMs: 40, ...policy },
    pollMs: 10,
  })
}
