import { describe, expect, it } from 'vitest'
import { articleOf, judgePage, LABELLED_PAGES } from './labelled-pages.ts'

const judged = LABELLED_PAGES.map((fixture) => {
  const article = articleOf(fixture)
  return { fixture, article, right: judgePage(fixture, article) }
})
const shareOf = (part: string) => judged.filter(({ right }) => right[part]).length / judged.length

describe('forty pages of our own making, unlike each other', () => {
  it('are forty, and no two of one name or address', () => {
    expect(LABELLED_PAGES).toHaveLength(40)
    expect(new Set(LABELLED_PAGES.map(({ name }) => name)).size).toBe(40)
    expect(new Set(LABELLED_PAGES.map(({ url }) => url)).size).toBe(40)
  })

  it.each([
    ['title', 1],
    ['author', 0.95],
    ['date', 0.975],
    ['language', 1],
    ['text', 1],
  ])('%s: at least %d of them are right', (part, least) => {
    const wrong = judged
      .filter(({ right }) => !right[part])
      .map(
        ({ fixture, article }) =>
          `${fixture.name}: ${JSON.stringify(article === null ? null : { ...article, html: '', text: article.text.slice(0, 200) })}`,
      )
    expect(shareOf(part), wrong.join('\n')).toBeGreaterThanOrEqual(least)
  })
})
