import { afterEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, type NewAuditEntry } from '../../src/model/index.ts'
import { type NewUser, NO_ORIGIN } from '../../src/store/accounts.ts'
import { KEEP_AUDIT_MS, LONGEST_SUBJECT, MOST_AUDIT_ENTRIES } from '../../src/store/audit.ts'
import type { Store } from '../../src/store/store.ts'
import { type Adapter, addOne, newItem, observation, record, START, settings } from './store.fixture.ts'

const user = (name: string, more: Partial<NewUser> = {}): NewUser => ({
  name,
  role: 'member',
  passwordHash: 'p',
  invitation: null,
  ...more,
})

const auditEntry = (subject: string, more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  at: START,
  userId: 1,
  userName: 'ann',
  address: '192.0.2.1',
  action: 'source-removed',
  subject,
  ...more,
})

/** Users, their sessions and tokens, and what they have read. */
export function describeAccounts(adapter: Adapter): void {
  describe(`accounts in the ${adapter.name} store`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    const open = async () => {
      const opened = await adapter.open()
      ends.push(() => opened.end())
      return opened
    }
    const openWithItems = async () => {
      const { store } = await open()
      const a = await addOne(store, 'http://a/', { categories: ['News/Science'] })
      const b = await addOne(store, 'http://b/')
      const names = ['one', 'two', 'three']
      await store.recordRefresh(record(a, { newItems: names.map((name) => newItem(name)) }))
      await store.recordRefresh(record(b, { newItems: [newItem('four')] }))
      const items = await store.items({ scope: { kind: 'all' }, limit: 10 })
      const seq = (title: string) => items.find((item) => item.title === title)!.seq
      const ann = (await store.addUser(user('ann'), START))!.id
      const bob = (await store.addUser(user('bob'), START))!.id
      return { store, a, b, seq, seqs: [...names, 'four'].map(seq), ann, bob }
    }
    const read = async (store: Store, id: number, seqs: readonly number[]) => {
      const marks = await store.marks(id, seqs)
      return seqs.map((seq) => marks.get(seq)?.isRead)
    }

    it('has one owner, and every name once, whatever its capitals', async () => {
      const { store, again } = await open()
      expect(await store.addUser(user('Ann', { role: 'owner' }), START)).toMatchObject({ name: 'Ann' })
      expect(await store.addUser(user('second', { role: 'owner' }), START)).toBeNull()
      expect(await store.addUser(user('ANN'), START)).toBeNull()
      const bob = await store.addUser(user('Bob'), START)
      expect(bob).toMatchObject({ role: 'member', lastSeenAt: null, wish: null })
      const wish = { completeness: null, meanDelayMs: 600_000 }
      await store.setWish(bob!.id, wish)
      expect(await store.userNamed('bob')).toMatchObject({ wish })
      await store.setWish(bob!.id, null)
      expect(await store.user(bob!.id)).toMatchObject({ wish: null })
      const { store: after } = await again()
      expect((await after.users()).map(({ name }) => name)).toEqual(['Ann', 'Bob'])
      expect(await after.userNamed('aNN')).toMatchObject({ name: 'Ann', role: 'owner' })
      expect(await after.userNamed('nobody')).toBeNull()
    })

    it('lets an invited user choose a password, once and in time', async () => {
      const { store } = await open()
      const invitation = { hash: 'h', endsAt: START + DAY_MS }
      const added = await store.addUser(user('eve', { passwordHash: null, invitation }), START)
      expect(added?.passwordHash).toBeNull()
      expect(await store.acceptInvitation('other', 'p', START)).toBeNull()
      expect(await store.acceptInvitation('h', 'p', START + DAY_MS)).toBeNull()
      expect(await store.acceptInvitation('h', 'p', START)).toMatchObject({ name: 'eve', passwordHash: 'p' })
      expect(await store.acceptInvitation('h', 'q', START)).toBeNull()
    })

    it('knows who a session is until it ends or is closed', async () => {
      const { store } = await open()
      const { id } = (await store.addUser(user('ann'), START))!
      for (const hash of ['s1', 's2', 's3'])
        await store.openSession({ hash, userId: id, endsAt: START + 10, origin: NO_ORIGIN }, START)
      expect(await store.sessionUser('s1', START)).toMatchObject({ user: { name: 'ann', lastSeenAt: START } })
      expect(await store.sessionUser('s1', START + 10)).toBeNull()
      const phone = { client: 'Firefox on Android', address: '192.0.2.1' }
      await store.prolongSession('s1', START + 20, START + 5, phone)
      expect(await store.sessionUser('s1', START + 10)).toMatchObject({ endsAt: START + 20 })
      await store.closeSession('s2')
      expect(await store.sessionUser('s2', START)).toBeNull()
      const session = { hash: 's3', createdAt: START, endsAt: expect.any(Number), origin: NO_ORIGIN }
      expect(await store.sessions(id, START)).toContainEqual(session)
      expect((await store.sessions(id, START)).map(({ hash }) => hash)).not.toContain('s2')
      expect(await store.sessions(id, START)).toContainEqual({ ...session, hash: 's1', origin: phone })
      expect(await store.sessions(id + 1, START)).toEqual([])
      await store.closeOtherSessions(id, 's3')
      expect(await store.sessions(id, START)).toEqual([session])
      expect(await store.sessionUser('s1', START)).toBeNull()
      expect(await store.sessionUser('s3', START)).not.toBeNull()
    })

    it('finds tokens by their hash, and lets their user alone take them back', async () => {
      const { store } = await open()
      const { id: ann } = (await store.addUser(user('ann'), START))!
      const { id: bob } = (await store.addUser(user('bob'), START))!
      const newToken = { userId: ann, label: 'phone', scope: 'feed' as const, feed: 'ice', hash: 'x' }
      const token = await store.addApiToken(newToken, START)
      expect(token.lastOrigin).toEqual(NO_ORIGIN)
      const lastOrigin = { client: 'curl/8.5.0', address: '192.0.2.2' }
      await store.noteTokenUse(token.id, START + 1, lastOrigin)
      expect(await store.apiTokenUser('x')).toEqual({
        user: await store.user(ann),
        token: { ...newToken, id: token.id, createdAt: START, lastUsedAt: START + 1, lastOrigin },
      })
      expect(await store.apiTokenUser('y')).toBeNull()
      expect(await store.apiTokens(bob)).toEqual([])
      expect(await store.removeApiToken(bob, token.id)).toBe(false)
      expect(await store.removeApiToken(ann, token.id)).toBe(true)
      expect(await store.apiTokens(ann)).toEqual([])
    })

    it('keeps read and starred for each user', async () => {
      const { store, seqs, ann, bob } = await openWithItems()
      expect(await store.markItems(ann, [seqs[0]!, 999], { isRead: true, isStarred: true })).toBe(1)
      await store.markItems(ann, [seqs[1]!], { isStarred: true })
      expect(await read(store, ann, seqs)).toEqual([true, false, false, false])
      expect(await read(store, bob, seqs)).toEqual([false, false, false, false])
      expect(await store.starred(ann, { limit: 10 })).toEqual([seqs[1], seqs[0]])
      expect(await store.starred(ann, { limit: 10, before: seqs[1]! })).toEqual([seqs[0]])
      await store.markItems(ann, [seqs[0]!], { isRead: false, isStarred: false })
      expect(await store.marks(ann, [seqs[0]!])).toEqual(new Map([[seqs[0], { isRead: false, isStarred: false }]]))
      expect((await store.marks(ann, [999])).size).toBe(0)
    })

    it('marks all of a source, a category, a feed or everything, up to what was shown', async () => {
      const { store, a, b, seqs, ann } = await openWithItems()
      await store.markItems(ann, [seqs[1]!], { isRead: false, isStarred: true })
      await store.markAllRead(ann, { kind: 'source', sourceId: a.id }, seqs[1]!)
      expect(await read(store, ann, seqs)).toEqual([true, true, false, false])
      expect((await store.marks(ann, [seqs[1]!])).get(seqs[1]!)?.isStarred).toBe(true)
      await store.markItems(ann, [seqs[0]!], { isRead: false })
      expect(await read(store, ann, seqs)).toEqual([false, true, false, false])
      await store.markAllRead(ann, { kind: 'category', category: 'News' }, seqs[3]!)
      expect(await read(store, ann, seqs)).toEqual([true, true, true, false])
      expect(await store.unread(ann, 100)).toEqual(new Map([[b.id, 1]]))
      expect(await store.unread(ann, 0)).toEqual(new Map())
      await store.markAllRead(ann, { kind: 'all' }, seqs[3]!)
      expect(await store.unread(ann, 100)).toEqual(new Map())
    })

    it('marks all of several sources read', async () => {
      const { store, a, b, seqs, ann } = await openWithItems()
      await store.markItems(ann, [seqs[0]!], { isRead: false, isStarred: true })
      await store.markAllRead(ann, { kind: 'sources', ids: [a.id, b.id], feeds: [] }, seqs[1]!)
      expect(await read(store, ann, seqs)).toEqual([true, true, false, false])
      await store.markAllRead(ann, { kind: 'sources', ids: [b.id], feeds: [] }, seqs[3]!)
      expect(await read(store, ann, seqs)).toEqual([true, true, false, true])
      await store.markAllRead(ann, { kind: 'sources', ids: [], feeds: [] }, seqs[3]!)
      expect(await read(store, ann, seqs)).toEqual([true, true, false, true])
    })

    it('marks all of a query feed read', async () => {
      const { store, seqs, ann } = await openWithItems()
      const saved = {
        kind: 'save-feed' as const,
        name: 'f',
        title: null,
        limit: null,
        text: 'x',
        catchUp: { after: 0 },
      }
      await store.changeQueries([saved], await store.queryRevision(), START)
      const { id, version } = (await store.queryFeed('f'))!
      await store.publishCatchUp({
        feeds: [{ feedId: id, version }],
        after: 0,
        upTo: seqs[3]!,
        isEnd: true,
        publications: [seqs[0]!, seqs[3]!].map((itemSeq) => ({ feedId: id, version, itemSeq, joined: [] })),
        at: START,
      })
      await store.markAllRead(ann, { kind: 'feed', id }, seqs[2]!)
      expect(await read(store, ann, seqs)).toEqual([true, false, false, false])
      await store.markAllRead(ann, { kind: 'sources', ids: [], feeds: [id] }, seqs[3]!)
      expect(await read(store, ann, seqs)).toEqual([true, false, false, true])
    })

    it('keeps trust for each user, and its mean for the scheduler', async () => {
      const { store, a, b, ann, bob } = await openWithItems()
      await store.setTrust(ann, a.id, 0.5)
      await store.setTrust(bob, a.id, 0)
      await store.setTrust(ann, b.id, 0.2)
      await store.setTrust(ann, b.id, 1)
      await store.setTrust(ann, 999, 0.1)
      expect(await store.trust(ann)).toEqual(new Map([[a.id, 0.5]]))
      expect(await store.meanTrust()).toEqual(new Map([[a.id, 0.25]]))
      await store.removeSource(a.id)
      expect(await store.meanTrust()).toEqual(new Map())
    })

    it('keeps who added each source first, as long as both are there', async () => {
      const { store, ann, bob } = await openWithItems()
      const add = async (url: string, by?: number) => (await store.addSources([settings(url)], START, by))[0]!.source.id
      const [ofBob, ofAnn] = [await add('http://bob/', bob), await add('http://ann/', ann)]
      await add('http://bob/', ann)
      await add('http://nobody/')
      const change = { kind: 'add-source' as const, settings: settings('http://query/'), by: ann }
      await store.changeQueries([change, { ...change, by: bob }], await store.queryRevision(), START)
      const queried = (await store.sourceByUrl('http://query/'))!.id
      const adders = [
        [ofBob, bob],
        [ofAnn, ann],
        [queried, ann],
      ] as const
      expect(await store.sourceAdders()).toEqual(new Map(adders))
      await store.removeUser(bob)
      await store.removeSource(ofAnn)
      expect(await store.sourceAdders()).toEqual(new Map([[queried, ann]]))
    })

    it('keeps what each user follows', async () => {
      const { store, ann, bob } = await openWithItems()
      const feed = '/feeds/category/News'
      await store.follow({ userId: bob, feed, since: START })
      await store.follow({ userId: ann, feed: '/feeds/source/1', since: START + 1 })
      await store.follow({ userId: ann, feed, since: START + 2 })
      await store.follow({ userId: ann, feed, since: START + 3 })
      await store.follow({ userId: 999, feed, since: START })
      expect(await store.follows()).toEqual([
        { userId: ann, feed, since: START + 2 },
        { userId: ann, feed: '/feeds/source/1', since: START + 1 },
        { userId: bob, feed, since: START },
      ])
      expect(await store.follows(bob)).toEqual([{ userId: bob, feed, since: START }])
      expect(await store.unfollow(ann, feed)).toBe(true)
      expect(await store.unfollow(ann, feed)).toBe(false)
      await store.removeUser(bob)
      expect(await store.follows()).toEqual([{ userId: ann, feed: '/feeds/source/1', since: START + 1 }])
    })

    it('forgets with a user all that was theirs, but not their feeds', async () => {
      const { store, a, seqs, ann, bob } = await openWithItems()
      const saved = {
        kind: 'save-feed' as const,
        name: 'f',
        title: null,
        limit: null,
        text: 'x',
        catchUp: 'from now' as const,
      }
      await store.changeQueries([saved], await store.queryRevision(), START)
      const { id } = (await store.queryFeed('f'))!
      await store.setQueryFeedOwner(id, bob)
      await store.setQueryFeedOwner(999, bob)
      expect(await store.queryFeedOwners()).toEqual(new Map([[id, bob]]))
      await store.setTrust(bob, a.id, 0)
      await store.markItems(bob, seqs, { isStarred: true })
      await store.addApiToken({ userId: bob, label: null, scope: 'read', feed: null, hash: 'x' }, START)
      await store.openSession({ hash: 's', userId: bob, endsAt: START + 10, origin: NO_ORIGIN }, START)
      expect(await store.removeUser(bob)).toBe(true)
      expect(await store.removeUser(bob)).toBe(false)
      expect(await store.apiTokenUser('x')).toBeNull()
      expect(await store.sessionUser('s', START)).toBeNull()
      expect(await store.starred(bob, { limit: 10 })).toEqual([])
      expect(await store.meanTrust()).toEqual(new Map())
      expect(await store.queryFeedOwners()).toEqual(new Map())
      expect(await store.sourceAdders()).toEqual(new Map())
      expect(await store.queryFeed('f')).not.toBeNull()
      expect((await store.users()).map(({ id: one }) => one)).toEqual([ann])
      await store.addUser(user('boss', { role: 'owner' }), START)
      expect(await store.removeUser((await store.userNamed('boss'))!.id)).toBe(false)
    })

    it('finds sources by their names', async () => {
      const { store } = await open()
      const b = await addOne(store, 'http://b/', { name: 'bee' })
      const also = await addOne(store, 'http://c/', { name: 'bee' })
      await addOne(store, 'http://d/', { name: 'Ant' })
      await addOne(store, 'http://e/')
      expect(await store.sourceNames()).toEqual(['Ant', 'bee'])
      const found = await store.sources({ names: ['bee', 'wasp', 'ant'] })
      expect(found.map(({ id }) => id)).toEqual([b.id, also.id])
      expect(await store.sources({ names: [] })).toEqual([])
    })

    it('returns who did what, newest first and page by page, also of users who are gone', async () => {
      const { store, again } = await open()
      await store.addUser(user('ann'), START)
      const { id: bob } = (await store.addUser(user('bob'), START))!
      await store.recordAudit([auditEntry('a'), auditEntry('b', { userId: bob, userName: 'bob' })], START)
      // The clock was put back: what is written later is newer all the same.
      await store.recordAudit(
        [auditEntry('c', { at: START - 1, address: null, action: 'backup' }), auditEntry('x'.repeat(500))],
        START,
      )
      await store.removeUser(bob)
      const { store: after } = await again()
      const page = await after.audit({ limit: 2 })
      expect(page.map(({ subject }) => subject.slice(0, 1))).toEqual(['x', 'c'])
      expect(page[0]!.subject).toHaveLength(LONGEST_SUBJECT)
      expect(page[1]).toMatchObject({ at: START - 1, userId: 1, address: null, action: 'backup', count: 1 })
      const rest = await after.audit({ limit: 9, beforeId: page[1]!.id })
      expect(rest.map(({ userName, subject }) => [userName, subject])).toEqual([
        ['bob', 'b'],
        ['ann', 'a'],
      ])
      expect(await after.audit({ limit: 9, beforeId: rest[1]!.id })).toEqual([])
      expect((await after.audit({ userId: bob, limit: 9 })).map(({ subject }) => subject)).toEqual(['b'])
      const own = await after.audit({ userId: 1, limit: 9, beforeId: page[0]!.id })
      expect(own.map(({ subject }) => subject)).toEqual(['c', 'a'])
    })

    it('counts failed attempts of a minute in one entry per account, and those at no account in another', async () => {
      const { store } = await open()
      const begin = Math.ceil(START / MINUTE_MS) * MINUTE_MS
      const failed = (at: number, userId: number | null, address: string) =>
        auditEntry('', { at, userId, address, userName: userId === null ? '' : 'ann', action: 'log-in-failed' })
      const times = [0, 1, MINUTE_MS - 1, MINUTE_MS].map((later) => begin + later)
      for (const at of times)
        await store.recordAudit([failed(at, 1, 'a'), failed(at, null, 'b'), failed(at, null, 'c')], at)
      const entries = await store.audit({ limit: 9 })
      expect(entries.map(({ userId, address, count, at }) => [userId, address, count, at - begin])).toEqual([
        [null, 'c', 2, MINUTE_MS],
        [1, 'a', 1, MINUTE_MS],
        [null, 'c', 6, MINUTE_MS - 1],
        [1, 'a', 3, MINUTE_MS - 1],
      ])
    })

    it('keeps so many entries of a user and for so long; failed attempts push out nothing else', async () => {
      const { store } = await open()
      await store.recordAudit([auditEntry('of another', { userId: 2 }), auditEntry('own')], START)
      const attempts = Array.from({ length: MOST_AUDIT_ENTRIES + 5 }, (_, index) =>
        auditEntry('', { at: START + index * MINUTE_MS, action: 'log-in-failed' }),
      )
      await store.recordAudit(attempts, START + attempts.length * MINUTE_MS)
      const entries = await store.audit({ userId: 1, limit: MOST_AUDIT_ENTRIES * 2 })
      expect(entries.length).toBe(MOST_AUDIT_ENTRIES + 1)
      expect(entries.at(-1)!.subject).toBe('own')
      expect(entries.at(-2)!.at).toBe(START + 5 * MINUTE_MS)
      const later = START + KEEP_AUDIT_MS + 1
      await store.recordAudit([auditEntry('much later', { at: later })], later)
      const last = async () => (await store.audit({ limit: MOST_AUDIT_ENTRIES * 2 })).map(({ subject }) => subject)
      // A clock may be wrong for some hours.
      expect(await last()).toContain('own')
      await store.recordAudit([auditEntry('the day after', { at: later + DAY_MS })], later + DAY_MS)
      expect(await last()).not.toContain('own')
    })

    it('drops nothing because of entries from the future', async () => {
      const { store } = await open()
      const ahead = START + 10 * KEEP_AUDIT_MS
      await store.recordAudit([auditEntry('first')], START)
      for (const hours of [0, 1, 23]) {
        const now = ahead + hours * HOUR_MS
        await store.recordAudit([auditEntry('ahead', { at: now })], now)
      }
      for (const days of [0, 1, 2, 399]) {
        const now = START + days * DAY_MS
        await store.recordAudit([auditEntry('right again', { at: now })], now)
      }
      expect((await store.audit({ limit: 99 })).map(({ subject }) => subject)).toContain('first')
    })

    it('lists what names sources, page by page, of all or of a category with its subfolders', async () => {
      const { store, a, b } = await openWithItems()
      const state = { ...a.state, status: 'active' as const, title: 'A', siteUrl: 'http://a.example/' }
      await store.recordRefresh(record(a, { state }))
      const both = await store.listedSources({ afterId: 0, limit: 10 })
      expect(both).toEqual(
        (await store.sources()).map(({ id, url, name, categories, state: { title, siteUrl } }) => {
          return { id, url, name, title, siteUrl, categories }
        }),
      )
      expect(both).toMatchObject([
        { id: a.id, title: 'A', siteUrl: 'http://a.example/' },
        { id: b.id, title: null },
      ])
      expect(await store.listedSources({ afterId: 0, limit: 1 })).toEqual([both[0]])
      expect(await store.listedSources({ afterId: a.id, limit: 10 })).toEqual([both[1]])
      expect(await store.listedSources({ afterId: 0, limit: -1 })).toEqual([])
      expect(await store.listedSources({ afterId: 0, limit: 10, category: 'News' })).toEqual([both[0]])
      expect(await store.listedSources({ afterId: a.id, limit: 10, category: 'News/Science' })).toEqual([])
      expect(await store.listedSources({ afterId: 0, limit: 10, category: 'Sci' })).toEqual([])
    })

    it('sums sources up for long lists, with their number of items', async () => {
      const { store, a, b } = await openWithItems()
      const loss = { items: 3, atLeast: 1, atMost: 5, basis: 'rate' as const }
      const saturation = { at: START, repaired: false, loss, repairedItems: 0 }
      const lastError = { code: 'HTTP_GONE', message: 'gone', at: START }
      await store.recordRefresh(
        record(a, {
          state: {
            ...a.state,
            status: 'active',
            title: 'A',
            saturation,
            lastLosses: [START, START - 5],
            lastCheckAt: START,
          },
          observation: observation(a.id, START),
          newItems: [newItem('five')],
        }),
      )
      await store.recordRefresh(record(b, { state: { ...b.state, status: 'failing', lastError } }))
      const model = { form: 'f/1', windowSize: 5, cost: 1, learntAt: START, relearntAt: null }
      await store.saveModels([{ ...model, sourceId: b.id, state: Uint8Array.from([7]) }])
      const [first, second] = await store.sourceSummaries({ afterId: 0, limit: 10 })
      expect(first).toMatchObject({ id: a.id, title: 'A', status: 'active', items: 4, isSaturated: true, model: null })
      expect(first?.lastLosses).toEqual([START, START - 5])
      expect(first).toMatchObject({ categories: ['News/Science'], errorCode: null, lastCheckAt: START })
      expect(second).toMatchObject({ items: 1, isSaturated: false, lastLosses: [], errorCode: 'HTTP_GONE', model })
      expect([...second!.model!.state]).toEqual([7])
      expect(await store.sourceSummaries({ afterId: a.id, limit: 10 })).toHaveLength(1)
      expect(await store.sourceSummaries({ afterId: 0, limit: 1 })).toHaveLength(1)
      await store.prune({ maxAgeMs: 1, maxItemsPerSource: null, maxObservationAgeMs: null }, START + DAY_MS)
      expect((await store.sourceSummaries({ afterId: 0, limit: 10 })).map(({ items }) => items)).toEqual([
        await store.itemCount(a.id),
        await store.itemCount(b.id),
      ])
      expect(await store.itemCount(a.id)).toBe((await store.items({ scope: { kind: 'all' }, limit: 99 })).length)
    })
  })
}
