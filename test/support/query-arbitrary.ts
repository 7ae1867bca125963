import fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { FeedQuery, ItemPredicate, QueryCondition, QueryStatement } from '../../src/query/language/ast.ts'
import { and, not, or } from '../../src/query/language/build.ts'

/* Random queries for property tests, over few words, so that random items meet them. */

const AT = { start: 0, end: 0 }

export const VOCABULARY = [
  'iceland',
  'volcano',
  'Éruption',
  'ash',
  'cloud',
  'flight',
  'Ångström',
  'sea',
  'level',
  'ice',
]

const word = fc.constantFrom(...VOCABULARY)
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
const comparison = fc.constantFrom('=', '<', '<=', '>', '>=') as fc.Arbitrary<'=' | '<' | '<=' | '>' | '>='>

const contains = fc.record({
  kind: fc.constant('contains' as const),
  field: fc.constantFrom(
    'TITLE',
    'DESCRIPTION',
    'CONTENT',
    'ITEM',
    'ITEM',
    'ITEM',
    'CATEGORY',
    'AUTHOR',
    'LINK',
    'SOURCE',
    'SOURCE CATEGORY',
  ),
  text: fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: phrase }),
  stemmed: fc.nat(9).map((n) => n === 0),
  at: fc.constant(AT),
})
const values = (arbitrary: fc.Arbitrary<string>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 })
const equals = fc
  .oneof(
    fc.record({
      field: fc.constantFrom('CATEGORY' as const, 'SOURCE CATEGORY' as const, 'AUTHOR' as const, 'TITLE' as const),
      values: values(word),
    }),
    fc.record({ field: fc.constant('LANGUAGE' as const), values: values(fc.constantFrom('en', 'fr', 'en-GB', 'is')) }),
    fc.record({
      field: fc.constant('SOURCE' as const),
      values: values(fc.constantFrom('alpha', 'https://b.org/feed', 'Gamma')),
    }),
    fc.record({
      field: fc.constant('LINK' as const),
      values: values(fc.constantFrom('https://x.org/1', 'https://x.org/ice')),
    }),
    fc.record({
      field: fc.constant('ENCLOSURE' as const),
      values: values(fc.constantFrom('image/*', 'audio/mpeg', 'https://x.org/a.png')),
    }),
  )
  .map((part) => ({ kind: 'equals' as const, ...part, at: AT }))
const matches = fc.record({
  kind: fc.constant('matches' as const),
  field: fc.constantFrom(
    'TITLE' as const,
    'ITEM' as const,
    'LINK' as const,
    'CATEGORY' as const,
    'SOURCE CATEGORY' as const,
  ),
  pattern: fc.constantFrom('volc', '^ice', 'a.h$', 'x\\.org/[0-9]', 'É|å'),
  ignoreCase: fc.boolean(),
  at: fc.constant(AT),
})
const published = fc.record({
  kind: fc.constant('published' as const),
  comparison: fc.constantFrom('<', '<=', '>', '>=') as fc.Arbitrary<'<' | '<=' | '>' | '>='>,
  moment: fc.oneof(
    fc.constant({
      kind: 'absolute' as const,
      text: '2024-05-31',
      from: Date.UTC(2024, 4, 31),
      to: Date.UTC(2024, 5, 1),
    }),
    fc.constantFrom(90 * MINUTE_MS, 3 * HOUR_MS, 2 * DAY_MS, 0).map((agoMs) => ({ kind: 'relative' as const, agoMs })),
  ),
  at: fc.constant(AT),
})
const count = fc.record({
  kind: fc.constant('count' as const),
  field: fc.constantFrom(
    'TITLE' as const,
    'ITEM' as const,
    'CATEGORY' as const,
    'SOURCE CATEGORY' as const,
    'ENCLOSURE' as const,
    'AUTHOR' as const,
  ),
  comparison,
  number: fc.nat(6),
  at: fc.constant(AT),
})

export const itemPredicate = fc.oneof(
  { weight: 12, arbitrary: contains },
  { weight: 5, arbitrary: equals },
  { weight: 1, arbitrary: matches },
  { weight: 1, arbitrary: published },
  { weight: 1, arbitrary: count },
) as fc.Arbitrary<ItemPredicate>

function condition(leaf: fc.Arbitrary<QueryCondition>): fc.Arbitrary<QueryCondition> {
  return fc.letrec<{ tree: QueryCondition; some: QueryCondition[] }>((tie) => ({
    some: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 4, arbitrary: leaf },
      { weight: 2, arbitrary: tie('some').map(and) },
      { weight: 3, arbitrary: tie('some').map(or) },
      { weight: 1, arbitrary: tie('tree').map(not) },
    ),
  })).tree
}

export const itemCondition = condition(itemPredicate)

/** May name the variables a and b. */
export const scopedCondition: fc.Arbitrary<QueryCondition> = condition(
  fc.oneof(
    { weight: 3, arbitrary: itemPredicate as fc.Arbitrary<QueryCondition> },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('a', 'b'), itemCondition)
        .map(([variable, of]): QueryCondition => ({ kind: 'scoped', variable, of, at: AT })),
    },
  ),
)

const origin = (names: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'all' as const }) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('https://a.org/feed', 'https://b.org/feed')
        .map((url) => ({ kind: 'url' as const, url })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('News', 'news/science').map((category) => ({ kind: 'category' as const, category })),
    },
    { weight: 2, arbitrary: fc.constantFrom(...names).map((name) => ({ kind: 'name' as const, name })) },
  )

/** One, or a union. */
const joinedSources = (names: readonly string[]) =>
  fc
    .array(origin(names), { minLength: 1, maxLength: 3 })
    .map((origins) => origins.map((from) => ({ origin: from, variable: 'w', at: AT })))

/** A filter over sources, some of them by name; the first two may be a union with one variable. */
export function filterQuery(names: readonly string[]): fc.Arbitrary<FeedQuery> {
  return fc.record({
    sources: fc
      .tuple(origin(names), fc.option(origin(names)), fc.option(origin(names)), fc.option(origin(names)))
      .map(([a, b, c, d]) => [
        { origin: a, variable: 'a', at: AT },
        ...(d === null ? [] : [{ origin: d, variable: 'a', at: AT }]),
        ...(b === null ? [] : [{ origin: b, variable: null, at: AT }]),
        { origin: c ?? a, variable: 'b', at: AT },
      ]),
    joins: fc.constant([]),
    where: fc.option(scopedCondition),
    distinct: fc.constant(null),
    order: fc.constant(null),
  })
}

const TEXT_FIELDS = ['TITLE', 'DESCRIPTION', 'CONTENT', 'ITEM'] as const
const SHARED_FIELDS = ['TITLE', 'CATEGORY', 'SOURCE CATEGORY', 'AUTHOR', 'LINK', 'LANGUAGE', 'SOURCE'] as const
const threshold = fc.constantFrom(0, 0.1, 0.25, 1 / 3, 0.5, 0.6, 0.75, 0.99)

const comparedPair: fc.Arbitrary<QueryCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('similar' as const),
    field: fc.constantFrom(...TEXT_FIELDS),
    other: fc.constantFrom(...TEXT_FIELDS).map((field) => ({ variable: 'w', field })),
    threshold,
    at: fc.constant(AT),
  }),
  fc
    .constantFrom(...SHARED_FIELDS)
    .map((field) => ({ kind: 'same' as const, field, other: { variable: 'w', field }, at: AT })),
)

/** Compares the joined feed w with items that come by a, b, or either. */
const joinCondition: fc.Arbitrary<QueryCondition> = fc
  .tuple(
    comparedPair,
    condition(
      fc.oneof(
        { weight: 3, arbitrary: comparedPair },
        { weight: 1, arbitrary: itemPredicate as fc.Arbitrary<QueryCondition> },
        {
          weight: 1,
          arbitrary: itemCondition.map((of): QueryCondition => ({ kind: 'scoped', variable: 'w', of, at: AT })),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom('a', 'b'), comparedPair)
            .map(([variable, of]): QueryCondition => ({ kind: 'scoped', variable, of, at: AT })),
        },
      ),
    ),
    fc.constantFrom('alone', 'and', 'or'),
  )
  .map(([pair, other, kind]) => (kind === 'alone' ? pair : kind === 'and' ? and([pair, other]) : or([pair, other])))

const shortWindow = fc.oneof(
  fc.constantFrom(HOUR_MS, 3 * HOUR_MS, DAY_MS).map((lengthMs) => ({ kind: 'time' as const, lengthMs })),
  fc.constantFrom(1, 3, 8).map((count) => ({ kind: 'items' as const, count })),
)

/** A filter, perhaps with joins and DISTINCT; joins may read what sources may. */
export function joinedQuery(names: readonly string[]): fc.Arbitrary<FeedQuery> {
  return fc
    .tuple(
      filterQuery(names),
      fc.array(
        fc.record({
          negated: fc.boolean(),
          window: shortWindow,
          sources: joinedSources(names),
          condition: joinCondition,
          at: fc.constant(AT),
        }),
        { maxLength: 2 },
      ),
      fc.option(
        fc.oneof(
          fc.record({
            by: fc.constantFrom('LINK' as const, 'TITLE' as const),
            threshold: fc.constant(null),
            window: shortWindow,
          }),
          fc.record({ by: fc.constant('SIMILAR' as const), threshold, window: shortWindow }),
        ),
        { freq: 2 },
      ),
    )
    .map(([query, joins, distinct]) => ({ ...query, joins, distinct }))
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => value.trim() !== '')
const feed = fc.constantFrom('f', 'News-2', 'título', 'limit').map((name) => ({ name, at: AT }))
const window = fc.oneof(
  fc.nat({ max: 10_000_000 }).map((lengthMs) => ({ kind: 'time' as const, lengthMs })),
  fc.integer({ min: 1, max: 1000 }).map((count) => ({ kind: 'items' as const, count })),
)
const pair = fc.oneof(
  fc.record({
    kind: fc.constant('similar' as const),
    field: fc.constantFrom('TITLE' as const, 'ITEM' as const),
    other: fc.constant({ variable: 'w', field: 'TITLE' as const }),
    threshold: fc.nat(99).map((n) => n / 100),
    at: fc.constant(AT),
  }),
  fc
    .constantFrom('LINK' as const, 'AUTHOR' as const)
    .map((field) => ({ kind: 'same' as const, field, other: { variable: 'w', field }, at: AT })),
)

const scoreTerm = fc
  .record({
    factor: fc.integer({ min: 1, max: 5_000 }).map((n) => n / 1000),
    of: fc.constantFrom('WEIGHT' as const, 'FRESHNESS' as const),
    halfLifeMs: fc.integer({ min: 1, max: 10_000_000 }),
  })
  .map((term) => ({ ...term, halfLifeMs: term.of === 'FRESHNESS' ? term.halfLifeMs : null, at: AT }))

export const anyQuery: fc.Arbitrary<FeedQuery> = fc
  .record({
    sources: fc.constant([]),
    joins: fc.array(
      fc.record({
        negated: fc.boolean(),
        window,
        sources: joinedSources(['x']),
        condition: fc.tuple(pair, scopedCondition).map(([a, b]) => and([a, b])),
        at: fc.constant(AT),
      }),
      { maxLength: 1 },
    ),
    where: fc.option(scopedCondition),
    distinct: fc.option(
      fc.oneof(
        fc.record({ by: fc.constantFrom('LINK' as const, 'TITLE' as const), threshold: fc.constant(null), window }),
        fc.record({ by: fc.constant('SIMILAR' as const), threshold: fc.nat(99).map((n) => n / 100), window }),
      ),
    ),
    order: fc.option(
      fc.oneof(
        fc.record({ by: fc.constantFrom('PUBLISHED' as const, 'WEIGHT' as const), descending: fc.boolean() }),
        fc.record({
          by: fc.constant('SCORE' as const),
          terms: fc.array(scoreTerm, { minLength: 1, maxLength: 3 }),
          descending: fc.boolean(),
        }),
      ),
    ),
    fulltext: fc.option(
      fc.record({
        fetchesPages: fc.boolean(),
        waitMs: fc.option(fc.integer({ min: 1, max: 86_400 }).map((seconds) => seconds * 1_000)),
      }),
    ),
  })
  .map(({ fulltext, ...rest }) => ({ ...rest, ...(fulltext && { fulltext }) }))
  .chain((rest) => filterQuery(['x', 'yy']).map(({ sources }) => ({ ...rest, sources })))

const output = fc.oneof(
  fc.constant({ kind: 'webhook' as const, url: 'https://hook.org/?a="b' }),
  text.map((path) => ({ kind: 'file' as const, path })),
  fc.constant({ kind: 'mail' as const, address: 'a@b.org' }),
)

export const statement: fc.Arbitrary<QueryStatement> = fc.oneof(
  fc.record({
    kind: fc.constant('register' as const),
    url: fc.constant('https://a.org/feed'),
    feed,
    category: fc.option(text.map((t) => t.trim())),
    weight: fc.option(fc.integer({ min: 1, max: 10_000 }).map((n) => n / 1000)),
  }),
  fc.record({
    kind: fc.constant('create' as const),
    feed,
    title: fc.option(text),
    limit: fc.option(fc.integer({ min: 1, max: 100_000 })),
    query: anyQuery,
  }),
  fc.record({
    kind: fc.constant('alter' as const),
    feed,
    limit: fc.option(fc.integer({ min: 1, max: 9 })),
    query: anyQuery,
  }),
  fc.record({ kind: fc.constant('drop' as const), feed }),
  fc.record({
    kind: fc.constant('subscribe' as const),
    feed,
    output,
    everyMs: fc.option(fc.integer({ min: 1, max: 1_000_000_000 })),
  }),
  fc.record({ kind: fc.constant('unsubscribe' as const), feed, output: fc.option(output) }),
)
