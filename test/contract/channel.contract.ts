import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, Outgoing, OutgoingItem, OutgoingItems } from '../../src/publisher/channels/channel.ts'
import { presentItem } from '../../src/publisher/present.ts'
import { ERRORS } from '../../src/runtime/errors.ts'
import { first } from '../support/present.ts'
import { aPublishedItem, NOON } from '../support/published-items.ts'

/** What a channel leads to, for a test. */
export interface Receiver {
  readonly channel: Channel
  readonly target: string
  /** What messages are signed or encrypted with, where it matters. */
  readonly keys?: string
  /** Publication ids, each once, in the order in which they came first. */
  received(): Promise<readonly string[]>
  /** From now on it takes nothing. */
  breakDown(): Promise<void>
  repair(): Promise<void>
  end(): Promise<void>
}

export const NEVER = new AbortController().signal

export function outgoingItem(n: number, fields: Parameters<typeof aPublishedItem>[0] = {}): OutgoingItem {
  const item = presentItem(aPublishedItem({ seq: n, id: `urn:item:${n}`, title: `Title ${n}`, ...fields }))
  return { publicationId: `pub-1-${n}`, seq: n, publishedAt: NOON + n, itemSeq: n, item }
}

export function outgoing(target: string, items: readonly OutgoingItem[], fields: Partial<Outgoing> = {}): Outgoing {
  const feed = { name: 'news', title: 'News', url: 'http://node.example/feeds/news' }
  const all: OutgoingItems = [first(items), ...items.slice(1)]
  return { feed, target, secret: 'whsec_c2VjcmV0', everyMs: null, items: all, ...fields }
}

/** What every channel owes those who subscribe. */
export function describeChannel(name: string, open: () => Promise<Receiver>): void {
  describe(`channel: ${name}`, () => {
    let receiver: Receiver
    beforeEach(async () => {
      receiver = await open()
    })
    afterEach(() => receiver.end())

    const deliver = (items: readonly OutgoingItem[], signal = NEVER) =>
      receiver.channel.deliver(
        outgoing(receiver.target, items, receiver.keys === undefined ? {} : { secret: receiver.keys }),
        signal,
      )
    const batches = (count: number) => {
      const most = receiver.channel.mostItems(null)
      const items = Array.from({ length: count }, (_, i) => outgoingItem(i + 1))
      return Array.from({ length: Math.ceil(count / most) }, (_, i) => items.slice(i * most, (i + 1) * most))
    }

    it('brings everything, in order', async () => {
      expect(receiver.channel.mostItems(null)).toBeGreaterThan(0)
      for (const batch of batches(5)) expect(await deliver(batch)).toEqual({ kind: 'delivered' })
      expect(await receiver.received()).toEqual([1, 2, 3, 4, 5].map((n) => `pub-1-${n}`))
    })

    it('says of a receiver that takes nothing that it is to be tried again, and does not throw', async () => {
      await receiver.breakDown()
      const batch = first(batches(1))
      const outcome = await deliver(batch)
      expect(outcome).toMatchObject({ kind: 'retry' })
      if (outcome.kind !== 'retry') return
      expect(Object.keys(ERRORS)).toContain(outcome.problem.code)
      expect(outcome.problem.message).not.toBe('')
      expect(outcome.problem.message).not.toContain('secret')
      await receiver.repair()
      expect(await deliver(batch)).toEqual({ kind: 'delivered' })
      expect(await receiver.received()).toEqual(['pub-1-1'])
    })

    it('repeats under the same id, by which a repetition is known', async () => {
      const batch = first(batches(1))
      await deliver(batch)
      await deliver(batch)
      expect(await receiver.received()).toEqual(['pub-1-1'])
    })
  })
}
