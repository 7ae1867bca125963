import { describe, expect, it } from 'vitest'
import { isSameNode, nodeIdentity, rotateKey } from '../../src/app/network/identity.ts'
import { HeldDocuments } from '../../src/app/network/sharing/documents.ts'
import { createPeerDoor } from '../../src/app/network/sharing/peer-door.ts'
import { authorizationOf } from '../../src/app/network/sharing/peer-signature.ts'
import { Roster } from '../../src/app/network/sharing/roster.ts'
import { MINUTE_MS, type SourceId } from '../../src/model/index.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const vault = { seal: (text: string) => `sealed ${text}`, open: (text: string) => text.replace(/^sealed /, '') }

async function identities() {
  const clock = virtualClock()
  const data = () => ({ store: createMemoryStore({ clock }).store, vault })
  const [own, other, stranger] = [data(), data(), data()]
  return {
    clock,
    own,
    me: await nodeIdentity(own),
    peer: await nodeIdentity(other),
    stranger: await nodeIdentity(stranger),
  }
}

async function open() {
  const { clock, me, peer, stranger } = await identities()
  const roster = new Roster(me.id)
  const trusted = {
    node: peer.id,
    url: 'https://peer.example',
    key: peer.key,
    trustedAt: 0,
    checkedAt: 0,
    failure: null,
  }
  roster.setPeers([trusted])
  roster.setSources(new Map([['https://site.example/feed', 7]]))
  const refreshed: SourceId[] = []
  const store = {
    requestRefresh: async (ids: readonly SourceId[]) => void refreshed.push(...ids),
    observations: async () => [],
    decisions: async () => [],
  }
  const door = createPeerDoor({
    identity: async () => me,
    roster,
    documents: new HeldDocuments(),
    store,
    clock,
    mostAMinute: 20,
  })
  const ask = async (
    path: string,
    body: string,
    by = peer,
    changes: { from?: string; to?: string; sent?: string; ageMs?: number } = {},
  ) => {
    const call = { from: changes.from ?? peer.id, to: changes.to ?? me.id, path, body }
    const authorization = authorizationOf(call, by, clock.now() - (changes.ageMs ?? 0))
    try {
      return { authorization, ...(await door.answer({ path, authorization, body: changes.sent ?? body })) }
    } catch (error) {
      return { authorization, code: (error as { code: string }).code }
    }
  }
  return { door, ask, roster, peer, stranger, me, refreshed, clock }
}

describe('the door of peers', () => {
  it('answers a trusted node, and heeds its news', async () => {
    const { ask, roster, peer, refreshed } = await open()
    const answer = await ask('/peer/sources', '{}')
    const { sources } = JSON.parse('body' in answer ? answer.body : '{}')
    expect(sources).toEqual([...roster.names(peer.id).byName.keys()])
    await ask('/peer/news', JSON.stringify({ sources }))
    expect(refreshed).toEqual([7])
  })

  it('refuses all others, and everything that was changed, late, meant for another or said before', async () => {
    const { door, ask, stranger, refreshed } = await open()
    const news = JSON.stringify({ sources: [] })
    const codes = [
      await ask('/peer/news', news, stranger),
      await ask('/peer/news', news, stranger, { from: stranger.id }),
      await ask('/peer/news', news, undefined, { to: stranger.id }),
      await ask('/peer/news', news, undefined, { sent: '{"sources":["x"]}' }),
      await ask('/peer/news', news, undefined, { ageMs: 10 * MINUTE_MS }),
    ].map((answer) => ('code' in answer ? answer.code : 'taken'))
    expect(codes).toEqual(Array(5).fill('PEER_REFUSED'))
    const { authorization } = await ask('/peer/news', news)
    await expect(door.answer({ path: '/peer/news', authorization, body: news })).rejects.toMatchObject({
      code: 'PEER_REFUSED',
    })
    expect(refreshed).toEqual([])
    expect(door.takeRefusals()).toBe(6)
  })

  it('refuses what is no such request, and more than a node can need', async () => {
    const { ask } = await open()
    expect(await ask('/peer/document', '{"source":1}')).toMatchObject({ code: 'REQUEST_INVALID' })
    let last: object = {}
    for (let n = 0; n < 20; n++) last = await ask('/peer/sources', ` ${' '.repeat(n)}{}`)
    expect(last).toMatchObject({ code: 'PEER_TOO_MANY' })
  })
})

it('a key is that of the same node if the key before vouches for it', async () => {
  const { own, me, stranger } = await identities()
  const second = await rotateKey(own)
  const third = await rotateKey(own)
  expect(third.id).toBe(me.id)
  expect(second.key).not.toBe(me.key)
  expect(isSameNode(me.key, third.key, third.handovers)).toBe(true)
  expect(isSameNode(second.key, third.key, third.handovers)).toBe(true)
  expect(isSameNode(me.key, third.key, [])).toBe(false)
  const forged = [{ from: me.key, to: stranger.key, signature: stranger.sign('anything') }]
  expect(isSameNode(me.key, stranger.key, forged)).toBe(false)
})
