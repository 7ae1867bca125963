import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lookForTroubles } from '../../src/app/alerts/alert-watch.ts'
import { LEAST_BUDGET } from '../../src/app/crawling/least-budget.ts'
import { openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { ALERT_KINDS, type AlertKind } from '../../src/model/alert-kinds.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type SourceState } from '../../src/model/index.ts'
import { ALERTS, type KnownAlert } from '../../src/publisher/alerts/alert-state.ts'
import { ALERT_WORDS } from '../../src/publisher/alerts/alert-words.ts'
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
/** What was posted there. */
const bodies: string[] = []

beforeAll(async () => {
  mail = await startMailServer()
  hook = await startServer(async (request, response) => {
    bodies.push(String(await buffer(request)))
    response.end()
  })
})
afterAll(async () => {
  await Promise.all([mail.close(), hook.close()])
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-alerts-'))
})

const WEEK_MS = 7 * DAY_MS
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

const WISH = { meanDelayMs: 15 * MINUTE_MS }
const WISHED = { quality: 'delay<15min' }
const STATES: Readonly<Record<AlertKind, (now: number) => Partial<SourceState>>> = {
  died: () => ({ status: 'retired' }),
  floods: (now) => ({ refusal: { at: now, items: 4_000, allowance: 5_000, until: null } }),
  // Its last look was fine: items are lost now and then.
  overflows: (now) => ({ lastLosses: [now - HOUR_MS, now - 3 * HOUR_MS] }),
  budget: () => ({}),
  still: (now) => ({ lastCheckAt: now - 2 * HOUR_MS, nextCheckAt: now - 2 * HOUR_MS }),
}

/** One thing is wrong with a node, and nothing else. */
async function trouble(kind: AlertKind, store: Store, now: number): Promise<void> {
  const [added] = await store.addSources([settings('http://a.example/feed.xml', { name: 'The Gauge' })], now)
  const { source } = added!
  const state = { ...source.state, lastCheckAt: now, nextCheckAt: now + WEEK_MS, ...STATES[kind](now) }
  await store.recordRefresh(record(source, { state }))
  if (kind !== 'budget') return
  const expected = { meanDelayMs: HOUR_MS, completeness: 0.9 }
  await store.saveState(LEAST_BUDGET, { wish: WISH, requestsPerDay: 100, neededPerDay: 300, expected, at: now })
}

describe('every kind of trouble', () => {
  it.each(ALERT_KINDS)('is told once by every channel, and not before it has lasted: %s', async (kind) => {
    const flags = { ...WISHED, smtpUrl: mail.url, alertMail: 'me@example.org', alertWebhook: hook.url('/hook') }
    const [mails, hooks] = [mail.mails.length, bodies.length]
    const told = () => [mail.mails.length - mails, bodies.length - hooks]
    const now = systemClock.now()
    const lastingMs = { died: 0, floods: 0, overflows: 6 * HOUR_MS, budget: DAY_MS, still: 0 }[kind]
    let alerts = await lookOnce(flags, now, (store) => trouble(kind, store, now))
    expect(told()).toEqual(lastingMs === 0 ? [1, 1] : [0, 0])
    for (let afterMs = 3 * HOUR_MS; afterMs <= 2 * DAY_MS; afterMs += 3 * HOUR_MS) {
      alerts = await lookOnce(flags, now + afterMs, (store) => keepsLooking(kind, store, now + afterMs))
      expect([afterMs, ...told()]).toEqual(afterMs < lastingMs ? [afterMs, 0, 0] : [afterMs, 1, 1])
    }
    expect(alerts.map((alert) => alert.kind)).toEqual([kind])
    const { title } = ALERT_WORDS[kind]
    expect(mail.mails.at(-1)!.raw).toContain(title('The Gauge'))
    expect(bodies.at(-1)).toContain(`"title":${JSON.stringify(title('The Gauge'))}`)
    await showsEverywhere(alerts, title('The Gauge'))
  })
})

/** The trouble goes on; but for one that stands still, the node works. */
async function keepsLooking(kind: AlertKind, store: Store, now: number): Promise<void> {
  const [source] = await store.sources()
  const state = { ...source!.state, lastCheckAt: now, nextCheckAt: now + WEEK_MS, ...STATES[kind](now) }
  await store.recordRefresh(record(source!, { state }))
}

/** In the feed and in what the dashboard asks for. */
async function showsEverywhere(alerts: readonly KnownAlert[], title: string): Promise<void> {
  const node = await openApiNode()
  await node.data.store.saveState(ALERTS, alerts)
  const body = { name: 'ann', password: 'long enough, is it?' }
  const owner = await node.ask('POST', '/api/session/owner', { body })
  const cookie = String([owner.headers['set-cookie']].flat()[0]).split(';')[0]
  const feed = await node.ask('GET', '/feeds/_alerts.json', { cookie })
  expect(feed.body.items.map((item: { title: string }) => item.title)).toEqual([title])
  const list = await node.ask('GET', '/api/alerts', { cookie })
  expect(list.body.alerts.map((alert: { title: string }) => alert.title)).toEqual([title])
  await node.close()
}

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
