import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedItem } from '../model/index.ts'
import { compareLines } from './difference.ts'
import { readElement } from './element.ts'
import { escapeSigns } from './escape-html.ts'
import { parsePage } from './page.ts'

const URL_OF_PAGE = 'https://a.example/prices'

function state(html: string, last: ParsedItem | null): ParsedItem {
  const item = readElement(
    parsePage(`<title>Prices</title><div id="x">${html}</div>`, URL_OF_PAGE),
    '#x',
    URL_OF_PAGE,
    last,
  )
  if (item === null) throw new Error('no element')
  return item
}

describe('an element that is watched', () => {
  it('is an item when it is first seen, and one for each change, which says what has changed', () => {
    const first = state('<p>Tea 3 €</p><p>Milk 1 €</p>', null)
    expect(first).toMatchObject({ title: 'Prices', link: URL_OF_PAGE, content: '<p>Tea 3 €</p><p>Milk 1 €</p>' })
    const second = state('<p>Tea 4 €</p><p>Milk 1 €</p>', first)
    expect(second.title).toBe('Tea 4 €')
    expect(second.content).toBe(
      '<ul><li><del>− Tea 3 €</del></li><li><ins>+ Tea 4 €</ins></li></ul><hr><p>Tea 4 €</p><p>Milk 1 €</p>',
    )
  })

  it('is the same item where its text is the same, whatever its markup', () => {
    const first = state('<p>Tea</p>', null)
    expect(state('<div class="b">\n Tea</div>', first)).toBe(first)
    expect(state('<p>Tea</p>', null).id).toBe(first.id)
  })

  it('is news again where an earlier text comes back', () => {
    const first = state('open', null)
    const second = state('closed', first)
    const third = state('open', second)
    const fourth = state('closed', third)
    expect(new Set([first, second, third, fourth].map(({ id }) => id)).size).toBe(4)
  })

  it('begins anew after items that were read otherwise', () => {
    const other = { ...state('x', null), id: null, content: '<p>an article</p>' }
    expect(state('open', other)).toEqual(state('open', null))
  })

  it('says what is gone where nothing is new', () => {
    const first = state('<p>a</p><p>b</p>', null)
    expect(state('<p>a</p>', first).title).toBe('− b')
  })
})

describe('properties', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '<p>', '&lt;', '<hr>'), { maxLength: 12 })

  it('a difference leads from one text to the other, with as few changes as there can be', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const difference = compareLines(before, after)
        const texts = (kinds: readonly string[]) =>
          difference.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
        expect(texts(['same', 'removed'])).toEqual(before)
        expect(texts(['same', 'added'])).toEqual(after)
        expect(texts(['same']).length).toBe(longestCommon(before, after))
      }),
    )
  })

  it('what an item says of a state is enough to know it again', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const html = (all: readonly string[]) => `<p>.</p>${all.map((line) => `<p>${escapeSigns(line)}</p>`).join('')}`
        const first = state(html(before), null)
        const second = state(html(after), first)
        expect(state(html(after), second)).toBe(second)
        expect(state(html(before), second) === second).toBe(second === first)
      }),
    )
  })
})

/** By definition, slowly. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (const [i, one] of a.entries()) {
    for (const [j, other] of b.entries()) {
      const row = table[i + 1]
      if (row === undefined) continue
      row[j + 1] = one === other ? (table[i]?.[j] ?? 0) + 1 : Math.max(table[i]?.[j + 1] ?? 0, row[j] ?? 0)
    }
  }
  return table.at(-1)?.at(-1) ?? 0
}
