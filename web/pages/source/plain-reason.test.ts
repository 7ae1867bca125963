import { expect, it } from 'vitest'
import { clausesOf } from '../../../src/api/reason-clauses.ts'
import { loadPageWords } from '../../language/current.ts'
import { asSentence, momentWords, plainReason } from './plain-reason.ts'

await loadPageWords()

const NOW = new Date(2030, 0, 7, 12, 0).getTime()
const NEXT = NOW + 30 * 60_000

/** What the node sends for a reason as it is stored. */
const reason = (text: string) => ({ nextCheckClauses: clausesOf(text), nextCheckAt: NEXT })

it.each([
  [
    'after 30 min: about 12 items a day; 1 new item expected by 12:30 UTC, then they are worth the price of a request (foresight)',
    'It brings about 12 items a day. By 12:30 about 1 new item should be waiting, and no other feed needs the request more.',
  ],
  [
    'after 30 min: about 3.3e+2 items a day; 2.6 new items expected by 12:30 UTC, sooner than they are worth, or some would fall out of its window (foresight)',
    'It brings about 330 items a day. By 12:30 about 3 new items should be waiting; looking later, some could be lost.',
  ],
])('%s', (text, words) => expect(plainReason(reason(text), NOW)).toBe(words))

it('says between which hours most comes, by the clock of the reader', () => {
  const text =
    'after 5.5 h: about 12 items a day, usually published about 10:00–11:00 UTC; 1 new item expected by 12:30 UTC, then they are worth the price of a request (foresight)'
  const local = (hour: number) => {
    const at = new Date(Date.UTC(2030, 0, 7, hour))
    return `${String(at.getHours()).padStart(2, '0')}:00`
  }
  expect(plainReason(reason(text), NOW)).toContain(`most of them between ${local(10)} and ${local(11)}`)
})

it('leaves other reasons as they are', () => {
  expect(plainReason(reason('new: not refreshed yet'), NOW)).toBeNull()
  expect(plainReason(reason('backing off after 3 failures (HTTP_GONE)'), NOW)).toBeNull()
  expect(asSentence('new: not refreshed yet')).toBe('New: not refreshed yet.')
})

it('names the day of a moment that is not today', () => {
  expect(momentWords(NEXT, NOW)).toBe('12:30')
  expect(momentWords(NEXT + 24 * 3_600_000, NOW)).toMatch(/^\S+ \S+, 12:30$/)
})
