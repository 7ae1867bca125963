import { describe, expect, it } from 'vitest'
import { extractArticle } from '../../../src/articles/extract/extract.ts'
import { failedCategories, hasCategories, measureCategories } from './categories.ts'
import { compareWithHidden } from './hidden.ts'
import { hasArticles, readLabelledPages } from './pages.ts'
import { scoreCorpus, scorePage } from './score.ts'

describe('the score', () => {
  it('is that of score.py: four words in a row, in bags', () => {
    // A, B, C, D, E found of A, B, C, D, F: one of two shingles on either side.
    expect(scorePage('x', 'a b c d e', 'A b, c d f')).toMatchObject({ precision: 0.5, recall: 0.5, f1: 0.5 })
    expect(scorePage('x', '', 'a b c d')).toMatchObject({ precision: null, recall: 0, f1: 0 })
    expect(scorePage('x', 'ein kurzer Text', 'Ein kurzer Text')).toMatchObject({ precision: 1, recall: 1 })
    expect(scorePage('x', 'a b c d a b c d', 'a b c d').precision).toBe(0.2)
  })

  it('leaves pages without a text out of precision, not out of recall', () => {
    const pages = [scorePage('x', 'a b c d', 'a b c d'), scorePage('y', '', 'a b c d')]
    expect(scoreCorpus(pages)).toMatchObject({ precision: 1, recall: 0.5, empty: 1, f1: 2 / 3 })
  })
})

describe.skipIf(!hasArticles)('labelled pages (skipped where ../shared/corpora is absent)', () => {
  const pages = hasArticles ? readLabelledPages() : []
  const heldOut = pages.filter(({ half }) => half === 'held-out')

  it('are found whole and alone, on the half that nobody looked at', () => {
    const scores = heldOut.map(({ name, page, body }) => {
      const extraction = extractArticle(page)
      return scorePage(name, extraction.kind === 'article' ? extraction.article.text : '', body)
    })
    const { f1, precision, empty } = scoreCorpus(scores)
    expect(empty).toBe(0)
    expect(f1).toBeGreaterThanOrEqual(0.965)
    expect(precision).toBeGreaterThanOrEqual(0.945)
  })

  it('say who wrote them, and when, without their JSON-LD', () => {
    const shares = Object.fromEntries(
      compareWithHidden(heldOut).map(({ part, right, labelled }) => [part, right / labelled]),
    )
    expect(shares['title']).toBeGreaterThanOrEqual(0.75)
    expect(shares['author']).toBeGreaterThanOrEqual(0.6)
    expect(shares['date']).toBeGreaterThanOrEqual(0.95)
    expect(shares['language']).toBe(1)
  })
})

describe.skipIf(!hasCategories)('categories of real items (skipped where ../shared/corpora is absent)', () => {
  it('are guessed better than by the most frequent class, where there is more than one', () => {
    const figures = measureCategories()
    expect(failedCategories(figures)).toEqual([])
    const together = figures.at(-1)
    expect(together?.accuracy).toBeGreaterThan(2 * (together?.mostFrequent ?? 1))
  })
})
