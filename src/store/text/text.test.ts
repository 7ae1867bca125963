import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extent } from '../../../test/support/extent.ts'
import { words, wordsInParts } from './fold.ts'
import { createIndexTexts } from './index-text.ts'
import { stripMarkup } from './markup.ts'
import { parseTextQuery } from './query.ts'

/** Characters that fold, join, vanish, split or come in two units. */
const awkward = fc.constantFrom(
  ...['é', 'e\u0301', 'ß', 'ẞ', 'İ', 'ı', 'Σ', 'ς', 'ﬁ', '½', 'ﷺ', 'か', '\u3099', 'が', '한', '\u1112', '\u1161'],
  ...[
    '東',
    'ー',
    '’',
    '…',
    '\u00ad',
    '\u200d',
    '😀',
    '𝒳',
    '𠀀',
    '\ud800',
    '\udc00',
    'ं',
    'हि',
    'ไทย',
    '\u0000',
    'ǆ',
    'K',
    'Å',
  ],
)
const text = fc
  .array(fc.oneof(awkward, fc.string({ unit: 'binary' }), fc.string()), { maxLength: 30 })
  .map((a) => a.join(''))

const html = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<b>',
        '</b>',
        '<',
        '>',
        '<p class="x">',
        '<!--',
        '-->',
        '<script>',
        '</script>',
        '<SCRIPT',
        '</Script',
      ),
      fc.constantFrom(
        '<style x>',
        '</style>',
        '<scripts>',
        '<s',
        '&amp;',
        '&eacute;',
        '&#233;',
        '&#x3099;',
        '&#xd800;',
        '&#8217;',
      ),
      fc.constantFrom(
        '&',
        ';',
        '&unknown;',
        '&valueOf;',
        '&toolongname;',
        '&szlig;',
        '&lt;b&gt;',
        '&shy;',
        '\u3099',
        '&am',
        'p;',
        '/',
        ' ',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

describe('words', () => {
  it.each([
    ['Hello, World! 42', ['hello', 'world', '42']],
    ['Crème BRÛLÉE', ['creme', 'brulee']],
    ['Straße STRASSE', ['strasse', 'strasse']],
    ['ΟΔΥΣΣΕΥΣ οδυσσευς', ['οδυσσευσ', 'οδυσσευσ']],
    ['ﬁne ½', ['fine', '1', '2']],
    ['東京タワー', ['東', '京', 'タ', 'ワ', 'ー']],
    ['か\u3099 が', ['が', 'が']],
    ['don’t e-mail', ['don', 't', 'e', 'mail']],
    ['हिन्दी', ['हिन्दी']],
    ['…', []],
  ])('of %s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  /** As SQLite's `ascii` tokenizer cuts: all beyond ASCII is part of a word. */
  const cut = (text: string | Buffer) =>
    text
      .toString()
      .toLowerCase()
      .split(/[^a-z0-9\u0080-\uffff]+/)
      .filter((word) => word !== '')

  const indexed = (...textList: string[]) => {
    const texts = createIndexTexts()
    return texts.bytes(texts.add(textList)).toString()
  }

  it('are what the index is given, text or HTML', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, html), { maxLength: 3 }), (texts) => {
        expect(cut(indexed(...texts))).toEqual(texts.flatMap((one) => words(stripMarkup(one))))
      }),
      { numRuns: extent(800, 2_000) },
    )
  })

  it('stay where they were put while others are added', () => {
    const texts = createIndexTexts()
    const many = Array.from({ length: 500 }, (_, index) => `${index} ${'Ä'.repeat(index)} ${'x'.repeat(3_000)}`)
    const spans = many.map((one) => texts.add([one]))
    for (const [at, span] of spans.entries()) expect(cut(texts.bytes(span))).toEqual(words(many[at]!))
  })

  it.each(['ﷺ', 'é', 'x ', '東', '😀 ', 'が'])('of a very long text are all there: %s', (piece) => {
    const long = `begin ${piece.repeat(300_000)} ende\u0301`
    expect(cut(indexed(long))).toEqual(words(long))
  })
})

it('words of a long text come in parts, and are the same', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'É', 'e\u0301', ' ', ',', '語', '\ud83d\ude00', 'か\u3099'),
    maxLength: 60,
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (long, partLength) => {
      expect([...wordsInParts(long, partLength)].flat()).toEqual(words(long))
    }),
  )
  expect([...wordsInParts('ab cd ef', 3)]).toEqual([['ab', 'cd'], ['ef']])
})

describe('stripMarkup', () => {
  it.each([
    ['a<b>c</b>d', 'a c d'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['<p title="x">shown</p><!-- hidden -->', ' shown  '],
    ['<SCRIPT>var x</Script>after', ' after'],
    ['<style>p{}', ''],
    ['<script>x</script>a<style>y</style>b', ' a b'],
    ['Tom &amp; J&eacute;r&#244;me&#x21; &unknown; &#xd800;', 'Tom & Jérôme! &unknown;  '],
    ['unclosed <a href="x', 'unclosed <a href="x'],
    ['<a <b>c', '<a  c'],
    ['&valueOf; &toString;', '&valueOf; &toString;'],
  ])('%s', (html, expected) => {
    expect(stripMarkup(html)).toBe(expected)
  })

  it.each(['<a', '<', '<a<script', '&amp', '<!--', '<script', '</style', '<a>', '<style></style'])(
    'takes time in proportion to the length for %s repeated',
    (piece) => {
      const before = process.cpuUsage()
      const texts = createIndexTexts()
      texts.add([piece.repeat(300_000)])
      stripMarkup(piece.repeat(300_000))
      const { user, system } = process.cpuUsage(before)
      // A quadratic step would take minutes.
      expect((user + system) / 1_000).toBeLessThan(20_000)
    },
  )
})

describe('parseTextQuery', () => {
  it.each([
    ['a "b c" -d -"e f" g*', { all: ['a', 'b c', 'g*'], none: ['d', 'e f'] }],
    ['e-mail', { all: ['e mail'], none: [] }],
    ['"quoted*"', { all: ['quoted'], none: [] }],
    ['a"b"', { all: ['a', 'b'], none: [] }],
    ['--a', { all: [], none: ['a'] }],
  ])('%s', (text, expected) => {
    const query = parseTextQuery(text)!
    const plain = (terms: typeof query.all) => terms.map((term) => term.words.join(' ') + (term.prefix ? '*' : ''))
    expect({ all: plain(query.all), none: plain(query.none) }).toEqual(expected)
  })

  it.each(['', '  ', '"', '-', '…', '""', '-""'])('finds nothing to search for in %j', (text) => {
    expect(parseTextQuery(text)).toBeNull()
  })
})
