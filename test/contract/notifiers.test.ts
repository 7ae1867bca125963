import { createNotifier } from '../../src/buffer/notifier.ts'
import { createRelay, type Relay } from '../../src/buffer/relay.ts'
import { describeNotifier } from './notifier.contract.ts'

describeNotifier({
  name: 'in one process',
  delayMs: 0,
  async open(clock) {
    const notifier = createNotifier(clock)
    return { here: notifier, there: notifier, end: async () => {} }
  },
})

const EVERY_MS = 100
const TRAVEL_MS = 20

describeNotifier({
  name: 'in two processes',
  delayMs: EVERY_MS + TRAVEL_MS,
  async open(clock) {
    const ends: Relay[] = [0, 1].map((own) =>
      createRelay({
        local: createNotifier(clock),
        clock,
        everyMs: EVERY_MS,
        async send(channels) {
          void clock.sleep(TRAVEL_MS).then(() => ends[1 - own]?.receive(channels))
        },
      }),
    )
    const [here, there] = ends
    if (here === undefined || there === undefined) throw new Error('there are two')
    return { here, there, end: async () => {} }
  },
})
