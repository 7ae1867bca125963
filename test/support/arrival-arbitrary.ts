import fc from 'fast-check'
import { DAY_MS, HOUR_MS } from '../../src/model/index.ts'
import type { Arrival } from '../../src/query/item/arrival.ts'
import { VOCABULARY } from './query-arbitrary.ts'

/* Random items in the few words of the random queries. */

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...VOCABULARY) },
  { weight: 2, arbitrary: fc.constantFrom('VOLCANOES', 'eruptions', 'iced', 'the', '東京', 'ﬁne', '½') },
)
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ', ', '-', '<b>', '</b> ', ' &amp; ', '\n')), { maxLength: 8 })
  .map((parts) => parts.map(([w, gap]) => w + gap).join(''))
const optional = fc.option(text)
const now = Date.UTC(2024, 5, 1)

export const arrival: fc.Arbitrary<Arrival> = fc.record({
  item: fc.record({
    id: fc.constant(null),
    title: optional,
    link: fc.option(fc.constantFrom('https://x.org/1', 'https://X.org/ice', 'https://x.org/sea-level')),
    published: fc.constant(null),
    updated: fc.constant(null),
    authors: fc.array(
      fc.record({ name: fc.option(word), email: fc.option(fc.constantFrom('ash', 'a@b.org')), url: fc.constant(null) }),
      { maxLength: 2 },
    ),
    categories: fc.array(fc.oneof(word, text), { maxLength: 3 }),
    summary: optional,
    content: optional,
    enclosures: fc.array(
      fc.record({
        url: fc.constantFrom('https://x.org/a.png', 'https://x.org/b.mp3'),
        type: fc.option(fc.constantFrom('image/png', 'audio/mpeg; rate=1')),
        lengthBytes: fc.constant(null),
      }),
      { maxLength: 2 },
    ),
    language: fc.option(fc.constantFrom('en', 'fr', 'en_GB', 'xx')),
    commentsUrl: fc.constant(null),
    image: fc.constant(null),
    extensions: fc.constant(null),
    firstSeenAt: fc.constant(now),
    sortAt: fc.constantFrom(now, now - HOUR_MS, now - 2 * HOUR_MS, now - DAY_MS, now - 9 * DAY_MS),
  }),
  source: fc.record({
    url: fc.constantFrom('https://a.org/feed', 'https://b.org/feed'),
    name: fc.option(fc.constantFrom('alpha', 'gamma')),
    title: optional,
    categories: fc.array(fc.constantFrom('News', 'News/Science', 'Other'), { maxLength: 2 }),
    feedCategories: fc.array(fc.oneof(word, fc.constantFrom('news', 'sea level')), { maxLength: 2 }),
    language: fc.option(fc.constantFrom('en-GB', 'is')),
  }),
})
