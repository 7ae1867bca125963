import { beforeEach, describe, expect, it } from 'vitest'
import type { Fetcher, FetchOutcome, FetchRequest } from '../../../crawler/fetch/fetcher.ts'
import { HOUR_MS, MINUTE_MS } from '../../../model/index.ts'
import type { TrustedPeer } from '../network-state.ts'
import { HeldDocuments } from './documents.ts'
import { Roster } from './roster.ts'
import { SharedFetcher } from './shared-fetcher.ts'

/** One source that both have; which of the two polls it is found by trying names. */
const URL = 'https://site.example/feed'
const OWN = 'a'.repeat(22)
const THERE = peerThatPolls(false)
const HERE = peerThatPolls(true)

function peerThatPolls(isSelf: boolean): TrustedPeer {
  for (const letter of 'bcdefghijklmnopqrstuvwxyz') {
    const roster = rosterWith(peer(letter.repeat(22)))
    if (roster.pollerOf(URL)?.isSelf === isSelf) return roster.peers[0]!
  }
  throw new Error('no such name')
}

function peer(node: string): TrustedPeer {
  return { node, url: 'https://peer.example', key: '', trustedAt: 0, checkedAt: 0, failure: null }
}

function rosterWith(one: TrustedPeer): Roster {
  const roster = new Roster(OWN)
  roster.setPeers([one])
  roster.setSources(new Map([[URL, 1]]))
  roster.heard(one.node, new Set([URL]))
  return roster
}

/** Items of one hour each, newest first. */
function document(items: readonly number[]): string {
  const entries = items.map(
    (n) => `<item><guid>${n}</guid><pubDate>${new Date(n * HOUR_MS).toUTCString()}</pubDate></item>`,
  )
  return `<rss version="2.0"><channel><title>T</title>${entries.join('')}</channel></rss>`
}

const ASK: FetchRequest = {
  url: URL,
  etag: null,
  lastModified: null,
  headers: {},
  basicAuth: null,
  userAgent: null,
  proxyUrl: null,
}

describe('a common source', () => {
  let now = 0
  let origin: FetchOutcome
  let asked = 0
  let originTakesMs = 0
  let said: object | Error
  let news: string[]
  const fetcher: Fetcher = {
    fetch: async () => {
      asked++
      now += originTakesMs
      return origin
    },
    close: async () => {},
  }
  const shown = (items: readonly number[]): FetchOutcome => ({
    kind: 'content',
    status: 200,
    finalUrl: URL,
    permanentUrl: null,
    bytes: 1,
    latencyMs: 1,
    hints: { maxAgeMs: null, expiresAt: null },
    body: Buffer.from(document(items)),
    contentType: null,
    etag: null,
    lastModified: null,
  })
  const passes = (items: readonly number[], ageMs = 0) => ({
    kind: 'document',
    ageMs,
    body: Buffer.from(document(items)).toString('base64'),
    status: 200,
    finalUrl: URL,
    contentType: null,
    etag: null,
    lastModified: null,
  })
  const open = (roster: Roster, documents = new HeldDocuments()) => {
    const client = {
      call: async () => {
        if (said instanceof Error) throw said
        return said
      },
    }
    const clock = { now: () => now }
    return new SharedFetcher({ fetcher, roster, documents, client, clock, onNews: (url) => news.push(url) })
  }
  const bodyOf = (outcome: FetchOutcome) =>
    outcome.kind === 'content' ? Buffer.from(outcome.body).toString() : outcome.kind
  const WINDOW = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

  beforeEach(() => {
    now = 100 * HOUR_MS
    asked = 0
    originTakesMs = 0
    news = []
    origin = shown(WINDOW)
    said = passes(WINDOW)
  })

  it('that this node polls is fetched here, and the others are told of what is new', async () => {
    const shared = open(rosterWith(HERE))
    await shared.fetch(ASK)
    await shared.fetch(ASK)
    expect({ asked, news }).toEqual({ asked: 2, news: [URL] })
  })

  it('that the peer polls is taken from there, once the origin was seen', async () => {
    const roster = rosterWith(THERE)
    const shared = open(roster)
    await shared.fetch(ASK)
    now += MINUTE_MS
    said = passes([11, ...WINDOW.slice(0, 9)])
    expect(bodyOf(await shared.fetch(ASK))).toBe(document([11, ...WINDOW.slice(0, 9)]))
    expect(asked).toBe(1)
    expect(roster.tallies()[THERE.node]).toMatchObject({ passedOn: 1, checks: 1, lies: 0, polledThere: 1 })
  })

  it('is checked at the origin before half of its window can have turned over', async () => {
    const shared = open(rosterWith(THERE))
    await shared.fetch(ASK)
    for (let minutes = 0; minutes < 9 * 60; minutes += 10) {
      now += 10 * MINUTE_MS
      await shared.fetch(ASK)
    }
    // Nine hours from the first item to the last: every four and a half.
    expect(asked).toBe(3)
  })

  it.each([
    ['is silent', () => new Error('no answer')],
    ['has none', () => ({ kind: 'none' })],
    ['has not looked since', () => passes(WINDOW, 10 * MINUTE_MS)],
    ['says something else than was asked for', () => ({ kind: 'document' })],
    ['claims that nothing has changed, of what it never passed on', () => ({ kind: 'same', ageMs: 0 })],
  ])('is fetched from the origin where the peer %s', async (_name, answer) => {
    const shared = open(rosterWith(THERE))
    await shared.fetch(ASK)
    now += MINUTE_MS
    said = answer()
    origin = shown([12, ...WINDOW])
    expect(bodyOf(await shared.fetch(ASK))).toBe(document([12, ...WINDOW]))
  })

  it.each([
    ['withholds', WINDOW.slice(1)],
    ['makes up', [99, ...WINDOW.slice(1)]],
  ])(
    'is fetched from the origin where the peer %s something that this node can know, and for a day',
    async (_name, items) => {
      const roster = rosterWith(THERE)
      const shared = open(roster)
      await shared.fetch(ASK)
      now += MINUTE_MS
      said = passes(items)
      expect(bodyOf(await shared.fetch(ASK))).toBe(document(WINDOW))
      now += MINUTE_MS
      said = passes(WINDOW)
      await shared.fetch(ASK)
      expect(asked).toBe(3)
      expect(roster.tallies()[THERE.node]).toMatchObject({ lies: 1, passedOn: 0 })
    },
  )

  it('is of the moment at which the origin was asked, however long it took', async () => {
    const documents = new HeldDocuments()
    const shared = open(rosterWith(HERE), documents)
    originTakesMs = 30_000
    const before = now
    await shared.fetch(ASK)
    expect(documents.get(URL)?.checkedAt).toBe(before)
  })

  it('is compared with what this node saw a second ago, but not with what it saw later', async () => {
    const roster = rosterWith(THERE)
    const shared = open(roster)
    await shared.fetch(ASK)
    now += 1_000
    said = passes(WINDOW.slice(1), 1_000)
    await shared.fetch(ASK)
    expect(roster.tallies()[THERE.node]?.lies).toBe(0)
    said = passes(WINDOW.slice(1), 999)
    await shared.fetch(ASK)
    expect(roster.tallies()[THERE.node]?.lies).toBe(1)
  })

  it('is left alone where its origin has asked the peer for that', async () => {
    const shared = open(rosterWith(THERE))
    await shared.fetch(ASK)
    now += MINUTE_MS
    said = { kind: 'resting', forMs: 30 * MINUTE_MS }
    expect(await shared.fetch(ASK)).toMatchObject({ kind: 'failed', status: 429, retryAt: now + 30 * MINUTE_MS })
    expect(asked).toBe(1)
  })

  it('with a log-in is nobody else’s', async () => {
    const shared = open(rosterWith(THERE))
    await shared.fetch(ASK)
    await shared.fetch({ ...ASK, basicAuth: { user: 'me', password: 'secret' } })
    expect(asked).toBe(2)
  })
})
