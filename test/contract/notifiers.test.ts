import { createNotifier } from '../../src/buffer/notifier.ts'
import { describeNotifier } from './notifier.contract.ts'

describeNotifier({
  name: 'in one process',
  delayMs: 0,
  async open(clock) {
    const notifier = createNotifier(clock)
    return { here: notifier, there: notifier, end: async () => {} }
  },
})
