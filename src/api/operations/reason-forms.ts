import { z } from 'zod'
import { messageParams } from './shared.ts'

/**
 * The clauses of which the reason of a next check consists, as the scheduler writes them (src/refresh, src/crawler): the text is what
 * is stored, and these forms read it back, so that a page can say it in another language. What stands in braces is a parameter:
 * a length of time where its name ends with Ms, else a number or a word. `[s]` may be missing.
 */
export const REASON_FORMS = {
  'waits-for-share': 'waits: its payers have used their share',
  new: 'new: not refreshed yet',
  removed: 'removed',
  retired: 'retired: the site says that the feed is gone for good',
  letters: 'its letters come by themselves',
  'own-interval': 'every {everyMs} (its own interval)',
  'equal-shares': 'every {everyMs}: all sources share the budget equally ({strategy})',
  'at-random': 'at random, every {everyMs} on average ({strategy})',
  'shortest-interval': 'not more often than every {everyMs}, though the budget would allow it',
  'longest-interval': 'at least every {everyMs}, though hardly anything is expected',
  // Before the site wants it, or after
  'site-wish': 'not before the site wants it ({wish})',
  'sooner-than-site': 'sooner than the site wants it ({wish}): half of its window may be new by then',
  'full-before': 'but its window will be full before',
  'skip-times': 'not before: its skipHours and skipDays exclude the hours until then',
  'despite-skip-times': 'in an hour that its skipHours or skipDays exclude, so that no items are lost',
  'left-alone': 'the site asked to be left alone until then',
  'backing-off': 'backing off after {failures} failure[s] ({error})',
  'no-room': 'tomorrow: it showed more new items than the {most} a day that are stored of it; {refused} were refused',
  // After a loss or a surprise
  'hub-check': 'to see whether its hub still works, which tells of news',
  surprise: 'more came than expected; its window must not overflow',
  'half-window': 'half its window at the pace just seen',
  'as-soon-as-may-be': 'as soon as may be, with half its window or more at the pace just seen',
  'too-rarely': 'too rarely',
  'repaired-loss': 'its window had turned over; what had fallen out was read from older pages',
  'unknown-loss': 'its window had turned over; how much was lost is unknown',
  'no-loss': 'its window had turned over; nothing seems lost',
  loss: 'its window had turned over; about {items} items lost ({atLeast} to {atMost})',
  // Several sources in one request
  'one-request': '{sources} sources in one request',
  'seen-with': 'seen with {others} others in one request, the next after {nextMs}',
  'seen-with-own': 'seen with {others} others in one request, its own',
  'seen-with-others': 'seen with others',
  'by-itself': 'by itself for the {share} % of its items that it may miss',
  // In cycles
  'in-cycles': 'chosen in cycles of {cycleMs} ({strategy})',
  'highest-utility': 'while it is among those of highest utility',
  'worth-threshold': 'when what waits is worth τ = {price}, or its window is full',
  'next-run': 'at the next run: {counts} ({strategy})',
  'in-runs': 'in {runs} runs: {counts} ({strategy})',
  // What a strategy believes
  'nothing-expected': 'never: nothing is expected of it (foresight)',
  after: 'after {afterMs}',
  rate: 'about {perDay} items a day',
  'busiest-hour': 'usually published about {from}–{to} UTC',
  expected: '{items} new item[s] expected by {by} UTC',
  'worth-the-price': 'then they are worth the price of a request (foresight)',
  'before-it-overflows': 'sooner than they are worth, or some would fall out of its window (foresight)',
  never: 'never',
  // What a strategy decides by
  'window-full': 'then its window is full ({strategy})',
  'worth-a-request-or-full': 'then what waits is worth a request, or its window is full ({strategy})',
  'worth-a-request': 'then what waits is worth a request ({strategy})',
  'root-of-rate-at-best-moments':
    'requests are shared out by the root of the posting rate, at the best moments of its day ({strategy})',
  'root-of-rate': 'requests are shared out by the root of the posting rate ({strategy})',
  'best-moments': 'at the moments of its day that keep postings waiting least ({strategy})',
  'usual-gap': 'a tenth more than the usual gap between items ({strategy})',
  'week-by-entries': 'a week divided by the entries of the last one ({strategy})',
  'window-known-or-new': 'longer where most of the window is known, shorter where most is new ({strategy})',
  'stories-and-subscribers': 'by stories per day and subscribers ({strategy})',
  'after-change': 'shorter after a change, longer without one ({strategy})',
  'same-interval': 'the same interval for every feed ({strategy})',
  'posts-and-gaps': 'by the last post and the gaps between posts ({strategy})',
  'runs-passed': 'its M runs of the system have passed ({strategy})',
  'tenth-of-age': 'a tenth of the time since its last item ({strategy})',
} as const

export type ReasonCode = keyof typeof REASON_FORMS

export const reasonClause = z.object({
  code: z.enum(Object.keys(REASON_FORMS) as [ReasonCode, ...ReasonCode[]]),
  params: messageParams,
})
