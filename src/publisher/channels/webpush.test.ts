import { describe, expect, it } from 'vitest'
import { outgoing, outgoingItem } from '../../../test/contract/channel.contract.ts'
import { decryptPush, readVapid } from '../../../test/support/push-browser.ts'
import { encryptPush, MOST_PLAIN_BYTES } from '../webpush/encrypt.ts'
import { areUsable } from '../webpush/push-keys.ts'
import { vapidAuthorization, vapidKeysFrom } from '../webpush/vapid.ts'
import { noticeOf } from './push-notice.ts'

/** RFC 8291 §5 and appendix A. */
const EXAMPLE = {
  plain: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  browserPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  browserPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  nodePrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const KEYS = { p256dh: EXAMPLE.browserPublic, auth: EXAMPLE.auth }
const bytes = (text: string) => Buffer.from(text, 'base64url')
const SECRETS = { privateKey: bytes(EXAMPLE.nodePrivate), salt: bytes(EXAMPLE.salt) }

describe('a push message', () => {
  it('is the example of RFC 8291, byte for byte, and the browser reads it', () => {
    const message = encryptPush(Buffer.from(EXAMPLE.plain), KEYS, SECRETS)
    expect(message.toString('base64url')).toBe(EXAMPLE.message)
    expect(decryptPush(message, bytes(EXAMPLE.browserPrivate), bytes(EXAMPLE.auth)).toString()).toBe(EXAMPLE.plain)
  })

  it('of the largest size fits into what push services take, and no larger one is made', () => {
    expect(encryptPush(Buffer.alloc(MOST_PLAIN_BYTES, 'a'), KEYS, SECRETS).length).toBe(4_096)
    expect(() => encryptPush(Buffer.alloc(MOST_PLAIN_BYTES + 1), KEYS, SECRETS)).toThrow(RangeError)
  })

  it('about any item fits, whatever its title is made of', () => {
    const long = { title: '🧊'.repeat(2_000), summary: '<p>"\\'.repeat(500), content: null }
    const one = outgoingItem(1, long)
    for (const items of [[one], Array<typeof one>(200).fill(one)]) {
      const { items: all } = outgoing('x', items)
      const feed = { name: '☃'.repeat(100), title: '\u0001"'.repeat(500), url: 'x' }
      const plain = Buffer.from(JSON.stringify(noticeOf({ feed, items: all })))
      expect(plain.length).toBeLessThanOrEqual(MOST_PLAIN_BYTES)
    }
  })

  it('says what is new and where it is', () => {
    const { feed, items } = outgoing('x', [outgoingItem(7, { title: 'Ice', summary: '<p>Much <b>of</b> it</p>' })])
    expect(noticeOf({ feed, items })).toEqual({
      title: 'Ice',
      body: 'News: Much of it',
      tag: 'pub-1-7',
      path: '/read?feed=news&item=7',
    })
    const two = outgoing('x', [outgoingItem(7), outgoingItem(8)])
    expect(noticeOf(two)).toMatchObject({
      title: 'News: 2 new items',
      body: 'Title 7 · Title 8',
      path: '/read?feed=news',
    })
  })
})

describe('keys of a browser', () => {
  it('are usable if they are a point of the curve and 16 bytes', () => {
    expect(areUsable(KEYS)).toBe(true)
    const off = bytes(EXAMPLE.browserPublic)
    off.writeUInt8(off.readUInt8(64) ^ 1, 64)
    expect(areUsable({ ...KEYS, p256dh: off.toString('base64url') })).toBe(false)
    expect(areUsable({ ...KEYS, auth: 'AAAA' })).toBe(false)
  })
})

describe('how the node shows who it is', () => {
  const NOW = Date.UTC(2026, 10, 18)

  it('is a token for one push service, for less than a day, signed with a key that every process has', () => {
    const keys = vapidKeysFrom('secret')
    const text = vapidAuthorization(keys, 'https://push.example/x?y', 'mailto:me@example.org', NOW)
    expect(readVapid(text)).toEqual({
      aud: 'https://push.example',
      exp: (NOW + 12 * 3_600_000) / 1_000,
      sub: 'mailto:me@example.org',
      key: vapidKeysFrom('secret').publicKey,
    })
    expect(vapidKeysFrom('another').publicKey).not.toBe(keys.publicKey)
    expect(readVapid(vapidAuthorization(keys, 'https://push.example/', null, NOW)).sub).toBeUndefined()
  })
})
