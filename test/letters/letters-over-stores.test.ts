import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLetterIntake, type LetterIntake } from '../../src/app/letters/letter-intake.ts'
import { createLetterSources, type LetterSources } from '../../src/app/letters/letter-sources.ts'
import { DAY_MS } from '../../src/model/index.ts'
import type { Store } from '../../src/store/store.ts'
import { STORE_ADAPTERS } from '../contract/store.fixture.ts'
import { DOMAIN } from './letter-node.ts'

const START = Date.UTC(2026, 10, 18)
const letter = (name: string, from = 'ada@weekly.example') =>
  Buffer.from(`From: ${from}\r\nSubject: ${name}\r\nMessage-ID: <${name}@weekly.example>\r\n\r\nx\r\n`)

for (const adapter of STORE_ADAPTERS) {
  const { name, skipReason } = adapter
  describe.skipIf(skipReason !== undefined)(`letters over ${name}`, () => {
    let store: Store
    let end: () => Promise<void>
    let sources: LetterSources
    let intake: LetterIntake
    let now = START
    beforeAll(async () => {
      const opening = await adapter.open()
      store = opening.store
      end = opening.end
      const clock = { now: () => now }
      sources = createLetterSources({ store, domain: () => DOMAIN, clock })
      intake = createLetterIntake({ store, domain: DOMAIN, clock })
    })
    afterAll(() => end())

    const titlesOf = async (sourceId: number) =>
      (await store.items({ scope: { kind: 'source', sourceId }, limit: 10 })).map(({ title }) => title)

    it('are stored once, also when they come at the same time', async () => {
      const { id, address } = await sources.add({ name: 'The Weekly' }, null)
      expect((await intake.find(address ?? ''))?.id).toBe(id)
      const copies = await Promise.all(['a', 'a', 'a'].map((one) => intake.accept(letter(one), id)))
      expect(copies.filter((one) => one === 'stored')).toHaveLength(1)
      expect(await intake.accept(letter('b'), id)).toBe('stored')
      expect(await intake.accept(letter('a'), id)).toBe('known')
      expect([...(await titlesOf(id))].sort()).toEqual(['a', 'b'])
      expect((await sources.find(id))?.senders).toEqual(['ada@weekly.example'])
    })

    it('find a renewed address and no former one', async () => {
      const { id, address: first } = await sources.add({ name: 'The Weekly' }, null)
      const { address: second } = await sources.renew(id)
      expect(await intake.find(first ?? '')).toBeNull()
      expect((await intake.find(second ?? ''))?.id).toBe(id)
      await sources.revoke(id)
      expect(await intake.find(second ?? '')).toBeNull()
      expect((await sources.list()).find((one) => one.id === id)).toMatchObject({ name: 'The Weekly', address: null })
    })

    it('are refused of others, and beyond the allowance of a day', async () => {
      const { id } = await sources.add({ name: 'The Weekly', senders: ['@weekly.example'] }, null)
      await store.updateSource(id, { dailyAllowance: 2 })
      await expect(intake.accept(letter('x', 'eve@evil.example'), id)).rejects.toMatchObject({
        code: 'LETTER_SENDER_REFUSED',
      })
      expect((await sources.find(id))?.lastRefusal).toMatchObject({ code: 'LETTER_SENDER_REFUSED', at: now })
      for (const one of ['c', 'd']) {
        now += 1_000
        await intake.accept(letter(one), id)
      }
      await expect(intake.accept(letter('e'), id)).rejects.toMatchObject({ code: 'LETTER_TOO_MANY' })
      now += DAY_MS
      expect(await intake.accept(letter('e'), id)).toBe('stored')
      expect((await sources.find(id))?.lastRefusal).toBeNull()
    })

    it('cost no request', async () => {
      const { requests, failures, items } = await store.qualityEver()
      expect([requests, failures, items]).toEqual([0, 0, 0])
    })
  })
}
