import { describe, expect, it } from 'vitest'
import { parseHttpDate } from '../../http/http-date.ts'
import { retryAfter } from '../../http/retry-after.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../model/index.ts'
import { decodersFor } from './decoders.ts'
import { httpHints } from './hints.ts'
import { isSendable } from './request-headers.ts'

const NOW = Date.UTC(2026, 4, 1, 12)

describe('HTTP dates (RFC 9110 §5.6.7)', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Friday, 01-May-26 12:00:00 GMT', '2026-05-01T12:00:00.000Z'],
    ['Friday, 01-May-76 12:00:00 GMT', '2076-05-01T12:00:00.000Z'],
    ['Friday, 01-May-77 12:00:00 GMT', '1977-05-01T12:00:00.000Z'],
  ])('%s', (text, iso) => {
    expect(new Date(parseHttpDate(text, NOW)!).toISOString()).toBe(iso)
  })

  it.each(['', '0', '-1', 'tomorrow', '2026-05-01', 'Sun, 06 Foo 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 25:49:37 GMT'])(
    'does not read "%s"',
    (text) => {
      expect(parseHttpDate(text, NOW)).toBeNull()
    },
  )
})

describe('Retry-After', () => {
  it.each([
    ['seconds', { 'retry-after': '120' }, 2 * MINUTE_MS],
    ['zero', { 'retry-after': '0' }, 0],
    ['a fraction', { 'retry-after': '1.5' }, 1_500],
    ['a date', { 'retry-after': 'Fri, 01 May 2026 13:00:00 GMT' }, HOUR_MS],
    [
      'a date by a clock that is a day ahead',
      { 'retry-after': 'Sat, 02 May 2026 13:00:00 GMT', date: 'Sat, 02 May 2026 12:00:00 GMT' },
      HOUR_MS,
    ],
    ['a date that has passed', { 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }, 0],
    ['a year', { 'retry-after': '31536000' }, 7 * DAY_MS],
    ['a number beyond all bounds', { 'retry-after': '9'.repeat(400) }, 7 * DAY_MS],
  ])('%s', (_name, headers, delayMs) => {
    expect(retryAfter(headers, NOW)).toBe(NOW + delayMs)
  })

  it.each([{}, { 'retry-after': '' }, { 'retry-after': 'soon' }, { 'retry-after': '-5' }])('ignores %o', (headers) => {
    expect(retryAfter(headers, NOW)).toBeNull()
  })
})

describe('freshness (RFC 9111 §4.2)', () => {
  it.each([
    [{ 'cache-control': 'max-age=600' }, 600_000, null],
    [{ 'cache-control': 'public, Max-Age="600", must-revalidate' }, 600_000, null],
    [{ 'cache-control': 'max-age=600', age: '590' }, 10_000, null],
    [{ 'cache-control': 'max-age=600', age: '900' }, 0, null],
    [{ 'cache-control': 's-maxage=600' }, null, null],
    [{ 'cache-control': 'no-cache, max-age=600' }, null, null],
    [{ 'cache-control': 'max-age=600', expires: 'Fri, 01 May 2026 13:00:00 GMT' }, 600_000, null],
    [{ expires: 'Fri, 01 May 2026 13:00:00 GMT' }, null, NOW + HOUR_MS],
    [{ expires: 'Fri, 01 May 2026 13:00:00 GMT', date: 'Fri, 01 May 2026 12:30:00 GMT' }, null, NOW + HOUR_MS / 2],
    [{ expires: '0' }, null, null],
    [{ expires: 'Fri, 01 May 2020 13:00:00 GMT' }, null, null],
    [{ 'cache-control': `max-age=${'9'.repeat(40)}` }, 365 * DAY_MS, null],
    [{}, null, null],
  ])('%o', (headers, maxAgeMs, expiresAt) => {
    expect(httpHints(headers, NOW)).toEqual({ maxAgeMs, expiresAt })
  })
})

describe('Content-Encoding', () => {
  it.each([
    ['', 0],
    ['identity', 0],
    ['gzip', 1],
    ['X-GZIP', 1],
    ['deflate, gzip', 2],
    ['utf-8', 0],
  ])('"%s" takes %i steps to undo', (value, steps) => {
    expect(decodersFor(value)).toHaveLength(steps)
  })

  it.each(['compress', 'gzip, gzip, gzip, gzip'])('"%s" is refused', (value) => {
    expect(decodersFor(value)).toBeNull()
  })
})

describe('validators that can be sent back', () => {
  it.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"caf\u00e9"', true],
    ['"a\r\nx: y"', false],
    ['"\u2603"', false],
  ])('%j: %s', (etag, expected) => {
    expect(isSendable(etag)).toBe(expected)
  })

  it('are not endless', () => {
    expect(isSendable(`"${'x'.repeat(5_000)}"`)).toBe(false)
  })
})
