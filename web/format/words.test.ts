import { afterEach, describe, expect, it } from 'vitest'
import { bytes, figure, form, percent, plural } from '../language/amounts.ts'
import { setLocale } from '../language/locale.ts'
import { dateOf, formatDuration, relative, weekdayNames } from './words.ts'

describe('words of the dashboard', () => {
  it.each([
    [0, '0\u00a0ms'],
    [999, '999\u00a0ms'],
    [1_500, '1.5\u00a0s'],
    [90_000, '1.5\u00a0min'],
    [3_600_000, '1\u00a0h'],
    [36 * 3_600_000, '1.5\u00a0d'],
    [30 * 86_400_000, '30\u00a0d'],
    [null, '–'],
  ])('a duration of %s ms is %s', (ms, words) => expect(formatDuration(ms)).toBe(words))

  it.each([
    [1, '100\u00a0%'],
    [0.99999, '99.99\u00a0%'],
    [0.9995, '99.95\u00a0%'],
    [0.995, '99.5\u00a0%'],
    [0.5, '50\u00a0%'],
    [0.012, '1.2\u00a0%'],
    [0, '0\u00a0%'],
    [null, '–'],
  ])('a share of %s is %s, and never 100 %% unless nothing is missing', (share, words) =>
    expect(percent(share)).toBe(words),
  )

  it('gives the date where days are too many to count', () => {
    const now = Date.UTC(2026, 10, 16, 12)
    expect(relative(Date.UTC(2018, 0, 31, 12), now)).toBe('31 Jan 2018')
    expect(relative(Date.UTC(2026, 2, 1, 12), now)).toBe('1 Mar')
    expect(relative(Date.UTC(2027, 2, 1, 12), now)).toBe('on 1 Mar 2027')
    expect(relative(now - 6 * 86_400_000, now)).toBe('6\u00a0d ago')
  })

  it('says when, from now', () => {
    expect(relative(null, 0)).toBe('never')
    expect(relative(10_000, 0)).toBe('in 10\u00a0s')
    expect(relative(0, 120_000)).toBe('2\u00a0min ago')
    expect(relative(500, 0)).toBe('now')
    expect(relative(0, 380_000)).toBe('6\u00a0min ago')
    expect(relative(0, 59.8 * 60_000)).toBe('1\u00a0h ago')
  })

  it('keeps three digits', () => {
    expect([figure(0.123456), figure(12.345), figure(123.45), figure(12_345)]).toEqual([
      '0.12',
      '12.3',
      '123',
      '12,345',
    ])
    expect([bytes(10), bytes(12_340), bytes(5_600_000)]).toEqual(['10\u00a0B', '12.3\u00a0kB', '5.6\u00a0MB'])
    expect([plural(1, 'source', 'sources'), plural(2_000, 'source', 'sources'), plural(2, 'query', 'queries')]).toEqual(
      ['1 source', '2,000 sources', '2 queries'],
    )
  })
})

describe('amounts and dates in German', () => {
  afterEach(() => setLocale('en'))

  it('have a comma, points between thousands, and days by their names', () => {
    setLocale('de')
    expect([figure(12.345), figure(12_345), percent(0.995), bytes(12_340)]).toEqual([
      '12,3',
      '12.345',
      '99,5\u00a0%',
      '12,3\u00a0kB',
    ])
    expect([plural(1, 'Quelle', 'Quellen'), plural(0, 'Quelle', 'Quellen')]).toEqual(['1 Quelle', '0 Quellen'])
    expect([form(1, 'braucht', 'brauchen'), form(2, 'braucht', 'brauchen')]).toEqual(['braucht', 'brauchen'])
    expect(weekdayNames('long')).toEqual([
      'Montag',
      'Dienstag',
      'Mittwoch',
      'Donnerstag',
      'Freitag',
      'Samstag',
      'Sonntag',
    ])
    expect(dateOf(Date.UTC(2018, 0, 31, 12), Date.UTC(2026, 0, 1))).toBe('31. Jan. 2018')
  })
})
