import { afterEach, describe, expect, it } from 'vitest'
import { createNotifier } from '../../src/buffer/notifier.ts'
import { createMemoryLeases } from '../../src/cluster/memory/leases.ts'
import { type Channel, DELIVERY_DONE, type DeliveryOutcome, retryLater } from '../../src/publisher/channels/channel.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { Store } from '../../src/store/store.ts'
import { deliveriesOver } from '../support/deliveries.ts'
import { eventually } from '../support/patience.ts'
import { addSource } from '../support/publishing.ts'
import { publishItems, saveFeed, subscribeTo } from '../support/query-publishing.ts'
import { HandLeases } from './hand-leases.ts'

const SHARDS = 4
const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)
const SUBSCRIPTIONS = 8
const SEED = 5

interface Message {
  readonly by: string
  readonly target: string
  readonly id: string
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** One feed with some subscribers, and publishers that share them. */
async function stage(answer: (message: Message, signal: AbortSignal) => Promise<DeliveryOutcome>) {
  const leases = createMemoryLeases(() => systemClock.now())
  const { store } = createMemoryStore({ clock: systemClock, leases })
  // As a database elsewhere: shards come and go while it is asked.
  const slowly = async <T>(answer: Promise<T>): Promise<T> => {
    const found = await answer
    await systemClock.sleep(2)
    return found
  }
  const slowStore: Store = {
    ...store,
    subscriptions: (feedId) => slowly(store.subscriptions(feedId)),
    publicationState: (feedId) => slowly(store.publicationState(feedId)),
  }
  const source = await addSource(store, 'https://a.example/feed')
  const feed = await saveFeed(store, 'news')
  const targets = Array.from({ length: SUBSCRIPTIONS }, (_, at) => `https://hook.example/${at}`)
  for (const url of targets) await subscribeTo(store, feed, { kind: 'webhook', url })
  const messages: Message[] = []
  const notifier = createNotifier(systemClock)
  const start = (by: string) => {
    const webhook: Channel = {
      mostItems: () => 1,
      async deliver({ target, items: [{ publicationId: id }] }, signal) {
        const message = { by, target, id }
        messages.push(message)
        return answer(message, signal)
      },
      close: async () => {},
    }
    const own = new HandLeases(leases, { role: 'publisher', owner: by }, SHARDS)
    const stop = new AbortController()
    const running = deliveriesOver(slowStore, { webhook }, { notifier }).run(stop.signal, own)
    ends.push(() => {
      stop.abort()
      return running
    })
    return own
  }
  let count = 0
  const publish = () => publishItems(store, feed, source.id, [{ title: `t${++count}` }], { at: systemClock.now() })
  const isDelivered = async () => {
    const { lastSeq } = await store.publicationState(feed.id)
    return (await store.subscriptions()).every(({ deliveredSeq }) => deliveredSeq === lastSeq)
  }
  return { messages, start, publish, isDelivered, targets, published: () => count }
}

describe('publishers that share the subscriptions', () => {
  it(`send each message once, while shards go from one to the other (seed ${SEED})`, async () => {
    const random = seededRandom(SEED)
    const { messages, start, publish, isDelivered, targets, published } = await stage(async () => {
      await systemClock.sleep(random() * 6)
      return DELIVERY_DONE
    })
    const [a, b] = [start('a'), start('b')]
    await a.claim(ALL_SHARDS)
    for (let round = 0; round < 40; round++) {
      await publish()
      await systemClock.sleep(random() * 12)
      const [from, to] = random() < 0.5 ? [a, b] : [b, a]
      const some = [...from.current().keys()].filter(() => random() < 0.5)
      await from.giveBack(some)
      await to.claim(some)
    }
    expect(await eventually(isDelivered)).toBe(true)
    for (const one of targets) {
      const ids = messages.filter(({ target }) => target === one).map(({ id }) => id)
      expect(new Set(ids).size).toBe(published())
      expect(ids).toHaveLength(published())
    }
    expect(new Set(messages.map(({ by }) => by))).toEqual(new Set(['a', 'b']))
  })

  it('call off what is under way when they lose a shard, and the next one sends it under the same id', async () => {
    const calledOff: Message[] = []
    const { messages, start, publish, isDelivered } = await stage(async (message, signal) => {
      if (message.by === 'b') return DELIVERY_DONE
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      calledOff.push(message)
      return retryLater('FETCH_ABORTED', 'called off')
    })
    const [a, b] = [start('a'), start('b')]
    await a.claim(ALL_SHARDS)
    await publish()
    expect(await eventually(() => messages.length === SUBSCRIPTIONS)).toBe(true)
    await a.expire()
    await b.claim(ALL_SHARDS)
    a.loseAll()
    expect(await eventually(isDelivered)).toBe(true)
    const named = (by: string) => messages.filter((one) => one.by === by).map(({ target, id }) => `${target} ${id}`)
    expect(calledOff).toHaveLength(SUBSCRIPTIONS)
    expect(named('b').sort()).toEqual(named('a').sort())
  })
})
