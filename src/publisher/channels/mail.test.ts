import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEVER, outgoing, outgoingItem } from '../../../test/contract/channel.contract.ts'
import { deliveriesOver } from '../../../test/support/deliveries.ts'
import { type MailServer, readMail, startMailServer } from '../../../test/support/mail-server.ts'
import { first, present } from '../../../test/support/present.ts'
import { NOON } from '../../../test/support/published-items.ts'
import { addSource, handClock } from '../../../test/support/publishing.ts'
import { publishItems, saveFeed, subscribeTo } from '../../../test/support/query-publishing.ts'
import { HOUR_MS } from '../../model/index.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import type { Channel } from './channel.ts'
import { createMailChannel } from './mail.ts'
import { composeMail } from './mail-message.ts'

let server: MailServer
let channel: Channel
beforeAll(async () => {
  server = await startMailServer()
  channel = createMailChannel({ smtpUrl: server.url, from: 'Headwater <node@node.example>', timeoutMs: 2_000 })
})
afterAll(async () => {
  await channel.close()
  await server.close()
})

const hostile = outgoingItem(1, {
  title: 'Crème <b>brûlée</b> \r\nBcc: everybody@example.org',
  content: '<p onclick="x()">Hello <script>alert(1)</script><a href="javascript:x">there</a></p>',
  summary: null,
})

describe('a mail', () => {
  it('has text and sanitised HTML, and names list, sender and receiver', async () => {
    expect(await channel.deliver(outgoing('reader@post.example', [hostile]), NEVER)).toEqual({ kind: 'delivered' })
    const { from, to, raw } = server.mails.at(-1)!
    const { fields } = readMail(raw)
    expect({ from, to }).toEqual({ from: 'node@node.example', to: ['reader@post.example'] })
    expect(fields).toMatchObject({
      from: 'Headwater <node@node.example>',
      'list-id': '"News" <news.headwater.node.example>',
      'auto-submitted': 'auto-generated',
    })
    expect(fields).not.toHaveProperty('bcc')
    expect(fields['content-type']).toContain('multipart/alternative')
    expect(raw).toContain('text/plain')
    expect(raw).toContain('text/html')
    expect(raw).not.toMatch(/<script|onclick|javascript:/)
    expect(raw).toContain('Hello')
  })

  it('has the same Message-ID whenever it is sent, and another for other items and readers', () => {
    const id = (...parameters: Parameters<typeof outgoing>) =>
      composeMail(outgoing(...parameters), 'node@node.example').messageId
    const first = id('a@b.example', [outgoingItem(1)])
    expect(first).toMatch(/^<[0-9a-f]{40}@node\.example>$/)
    expect(id('a@b.example', [outgoingItem(1)])).toBe(first)
    expect(id('c@b.example', [outgoingItem(1)])).not.toBe(first)
    expect(id('a@b.example', [outgoingItem(2)])).not.toBe(first)
    expect(id('a@b.example', [outgoingItem(1), outgoingItem(2)])).not.toBe(first)
  })

  it.each([
    [451, 'MAIL_FAILED', false],
    [550, 'MAIL_REFUSED', true],
  ])('that is answered with %i is tried again (%s)', async (status, code, isRefusal) => {
    await server.answer(status)
    const outcome = await channel.deliver(outgoing('reader@post.example', [hostile]), NEVER)
    await server.answer('ok')
    expect(outcome).toMatchObject({ kind: 'retry', problem: { code }, isRefusal })
  })

  it('waits for a server that is not there, or not set up', async () => {
    const absent = createMailChannel({ smtpUrl: 'smtp://user:secret@127.0.0.1:9', from: 'a@b', timeoutMs: 500 })
    const outcome = await absent.deliver(outgoing('reader@post.example', [hostile]), NEVER)
    expect(outcome).toMatchObject({ kind: 'retry', problem: { code: 'MAIL_FAILED' } })
    expect(JSON.stringify(outcome)).not.toContain('secret')
    const none = createMailChannel({ smtpUrl: null, from: 'a@b' })
    expect(await none.deliver(outgoing('reader@post.example', [hostile]), NEVER)).toMatchObject({
      problem: { code: 'MAIL_NOT_SET_UP' },
    })
  })
})

describe('a digest', () => {
  it('comes every ten hours with what was published meanwhile, and not at all without', async () => {
    const clock = handClock()
    const { store, notifier } = createMemoryStore({ clock })
    const source = await addSource(store, 'https://a.example/feed')
    const feed = await saveFeed(store, 'digest', { title: 'The digest' })
    await subscribeTo(store, feed, { kind: 'mail', address: 'digest@post.example' }, 10 * HOUR_MS)
    const stop = new AbortController()
    const deliveries = deliveriesOver(store, { mail: channel }, { clock, notifier })
    const running = deliveries.run(stop.signal)
    const arrived = () => server.mails.filter(({ to }) => to[0] === 'digest@post.example').map(({ raw }) => raw)
    const waitFor = async (count: number) => {
      while (arrived().length < count) {
        notifier.notify('deliveries')
        await systemClock.sleep(10)
      }
    }
    await publishItems(store, feed, source.id, [{ title: 'Morning' }, { title: 'Noon' }], { at: NOON + HOUR_MS })
    clock.pass(9 * HOUR_MS)
    notifier.notify('deliveries')
    await systemClock.sleep(50)
    expect(arrived()).toHaveLength(0)
    await publishItems(store, feed, source.id, [{ title: 'Night' }], { at: NOON + 11 * HOUR_MS })
    clock.pass(3 * HOUR_MS)
    await waitFor(1)
    expect(arrived()).toHaveLength(1)
    const { fields, body } = readMail(first(arrived()))
    expect(fields.subject).toBe('[The digest] 2 items')
    for (const title of ['Morning', 'Noon']) expect(body).toContain(title)
    expect(body).not.toContain('Night')
    clock.pass(8 * HOUR_MS)
    await waitFor(2)
    expect(readMail(present(arrived()[1])).fields.subject).toBe('[The digest] 1 item')
    clock.pass(100 * HOUR_MS)
    notifier.notify('deliveries')
    await systemClock.sleep(50)
    expect(arrived()).toHaveLength(2)
    stop.abort()
    await running
  })
})
