import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { NOON } from '../../../test/support/published-items.ts'
import { isSignedMessage } from '../../../test/support/signed-message.ts'
import { shownSecret, signMessage } from './signature.ts'

const SECRET = `whsec_${Buffer.from('a secret of 32 bytes and no more').toString('base64')}`
const headers = signMessage('pub-1', '{"a":1}', SECRET, NOON)

describe('a signature', () => {
  it('is HMAC-SHA-256 of id, timestamp and body under the decoded secret', () => {
    const mac = createHmac('sha256', 'a secret of 32 bytes and no more').update(`pub-1.${NOON / 1_000}.{"a":1}`)
    expect(headers).toEqual({
      'webhook-id': 'pub-1',
      'webhook-timestamp': String(NOON / 1_000),
      'webhook-signature': `v1,${mac.digest('base64')}`,
    })
  })

  it('is the same under the secret as it is shown', () => {
    expect(shownSecret(SECRET)).toBe(SECRET)
    const plain = signMessage('pub-1', '{}', 'any-text_at all', NOON)
    expect(isSignedMessage(plain, '{}', shownSecret('any-text_at all'), NOON)).toBe(true)
    expect(shownSecret('any-text_at all')).toMatch(/^whsec_/)
  })

  it('holds for the message as it is, for five minutes', () => {
    expect(isSignedMessage(headers, '{"a":1}', SECRET, NOON + 299_000)).toBe(true)
    expect(isSignedMessage(headers, '{"a":1}', SECRET, NOON + 301_000)).toBe(false)
    expect(isSignedMessage(headers, '{"a":1}', SECRET, NOON - 301_000)).toBe(false)
  })

  it('does not hold for another body, id, time or secret, nor without one', () => {
    expect(isSignedMessage(headers, '{"a":2}', SECRET, NOON)).toBe(false)
    expect(isSignedMessage({ ...headers, 'webhook-id': 'pub-2' }, '{"a":1}', SECRET, NOON)).toBe(false)
    expect(isSignedMessage({ ...headers, 'webhook-timestamp': '1' }, '{"a":1}', SECRET, 1_000)).toBe(false)
    expect(isSignedMessage(headers, '{"a":1}', 'whsec_b3RoZXI=', NOON)).toBe(false)
    for (const signature of ['', 'v1,', 'v1,AAAA', 'v2,x']) {
      expect(isSignedMessage({ ...headers, 'webhook-signature': signature }, '{"a":1}', SECRET, NOON)).toBe(false)
    }
    expect(isSignedMessage({}, '', SECRET, NOON)).toBe(false)
  })

  it('may be one of several, while a secret is replaced', () => {
    const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
    expect(isSignedMessage(both, '{"a":1}', SECRET, NOON)).toBe(true)
  })
})
