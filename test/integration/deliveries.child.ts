// Delivers what is published in a data folder until it is killed: `deliveries.child.ts DATABASE`.

import { createWebhookChannel } from '../../src/publisher/channels/webhook.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { deliveriesOver } from '../support/deliveries.ts'
import { present } from '../support/present.ts'

const { store } = await openSqliteStore({ path: present(process.argv[2], 'DATABASE'), clock: systemClock })
const webhook = createWebhookChannel({ clock: systemClock, allowRanges: ['loopback'], userAgent: 'test' })
await deliveriesOver(store, { webhook }).run(new AbortController().signal)
