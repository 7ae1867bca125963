import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lookForTroubles } from '../../src/app/alerts/alert-watch.ts'
import { openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { MINUTE_MS } from '../../src/model/index.ts'
import { ALERTS } from '../../src/publisher/alerts/alert-state.ts'
import { createMailChannel } from '../../src/publisher/channels/mail.ts'
import { createWebhookChannel } from '../../src/publisher/channels/webhook.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import type { Store } from '../../src/store/store.ts'
import { openApiNode } from '../api/api-node.ts'
import { record, settings } from '../contract/store.fixture.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'

let folder: string
let mail: MailServer
let hook: LocalServer

beforeAll(async () => {
  mail = await startMailServer()
  hook = await startServer((request, response) => void request.resume().once('end', () => response.end()))
})
afterAll(async () => {
  await Promise.all([mail.close(), hook.close()])
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-alerts-'))
})

const BASE_URL = 'http://node.example'

/** A source that is gone for good. */
async function addDead(store: Store): Promise<void> {
  const now = systemClock.now()
  const [added] = await store.addSources([settings('http://a.example/dead.xml')], now)
  const { source } = added!
  await store.recordRefresh(record(source, { state: { ...source.state, status: 'retired', lastCheckAt: now } }))
}

/** One look by a process that was just started, and ends after it. */
async function lookOnce(
  flags: Readonly<Record<string, unknown>>,
  at: number,
  before?: (store: Store) => Promise<void>,
) {
  const config = loadConfig(folder, { allowRange: 'loopback', ...flags }, {})
  const clock = { ...systemClock, now: () => at }
  const { store } = await openData(config, systemClock)
  await before?.(store)
  const channels = {
    mail: createMailChannel({ smtpUrl: config.smtpUrl ?? null, from: config.mailFrom }),
    webhook: createWebhookChannel({ clock, allowRanges: config.allowRange, userAgent: 'test', timeoutMs: 10_000 }),
  }
  const deps = { store, channels, config, baseUrl: BASE_URL, clock, logger: silentLogger }
  await lookForTroubles(deps, new AbortController().signal)
  const alerts = await store.state(ALERTS)
  await Promise.all([channels.mail.close(), channels.webhook.close()])
  await store.close()
  return alerts
}

describe('alerts of a node', () => {
  it('are told once per trouble by mail and webhook, over restarts', async () => {
    const flags = { smtpUrl: mail.url, alertMail: 'me@example.org', alertWebhook: hook.url('/hook') }
    const [mails, hooks] = [mail.mails.length, hook.requests.length]
    const now = systemClock.now()
    await lookOnce(flags, now, addDead)
    for (let k = 1; k < 4; k++) await lookOnce(flags, now + k * MINUTE_MS)
    expect([mail.mails.length - mails, hook.requests.length - hooks]).toEqual([1, 1])
    expect(mail.mails.at(-1)!.raw).toContain('has died')
  })

  it('are sent later where that was not possible, and then once', async () => {
    const flags = { smtpUrl: mail.url, alertMail: 'me@example.org' }
    const before = mail.mails.length
    const now = systemClock.now()
    await mail.answer(451)
    expect((await lookOnce(flags, now, addDead))[0]!.unsent).toEqual(['mail'])
    await mail.answer('ok')
    for (let k = 1; k < 3; k++) await lookOnce(flags, now + k * MINUTE_MS)
    expect(mail.mails.length - before).toBe(1)
  })

  it('are sent nowhere unless somebody wishes it', async () => {
    const [mails, hooks] = [mail.mails.length, hook.requests.length]
    const alerts = await lookOnce({ smtpUrl: mail.url }, systemClock.now(), addDead)
    expect(alerts.map(({ kind, unsent }) => [kind, unsent])).toEqual([['died', []]])
    expect([mail.mails.length - mails, hook.requests.length - hooks]).toEqual([0, 0])
  })
})

describe('the feed of alerts', () => {
  it('is for users who may see the sources, and looks as if it were not there to others', async () => {
    const node = await openApiNode()
    const alert = {
      kind: 'died',
      sourceId: 1,
      name: 'A & B',
      lastingMs: 0,
      since: 5,
      lastSeenAt: 5,
      endedAt: null,
    } as const
    await node.data.store.saveState(ALERTS, [
      { ...alert, id: 1, toldAt: 6, unsent: [] },
      { ...alert, id: 2, kind: 'overflows', toldAt: null, unsent: [] },
    ])
    const owner = await node.ask('POST', '/api/session/owner', {
      body: { name: 'ann', password: 'long enough, is it?' },
    })
    const cookie = String([owner.headers['set-cookie']].flat()[0]).split(';')[0]
    const tokenOf = async (scope: string) =>
      (await node.ask('POST', '/api/tokens', { cookie, body: { scope } })).body.secret as string
    const statusOf = async (path: string, as = {}) => (await node.ask('GET', path, as)).status
    for (const format of ['atom', 'rss', 'json']) expect(await statusOf(`/feeds/_alerts.${format}`)).toBe(404)
    expect(await statusOf('/feeds/_alerts.atom', { token: await tokenOf('feed') })).toBe(404)
    expect(await statusOf('/feeds/_alerts.atom', { token: await tokenOf('read') })).toBe(200)
    expect(await statusOf('/api/alerts')).toBe(401)
    const feed = await node.ask('GET', '/feeds/_alerts.json', { cookie })
    expect(feed.body.items.map(({ title }: { title: string }) => title)).toEqual(['A & B has died'])
    const list = await node.ask('GET', '/api/alerts', { cookie })
    expect(list.body.alerts).toMatchObject([{ id: 1, kind: 'died', title: 'A & B has died', endedAt: null }])
    await node.close()
  })
})
