import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArticleExtractor, ArticlePage } from '../article.ts'
import { extractArticle } from '../extract/extract.ts'
import { parseSiteRule } from '../extract/rules/site-rule.ts'
import { createExtractor } from './extractor.ts'

const page = (html: string): ArticlePage => ({
  url: 'https://example.org/a',
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(html),
})
const story = (number: number) =>
  page(
    `<html lang="en"><body><article><h1>Story ${number}</h1>${`<p>The ferry number ${number} sails again, the council said, after a pause.</p>`.repeat(8)}</article></body></html>`,
  )
/** Every closing tag that closes nothing is looked for among all that are open: minutes. */
const ENDLESS = page(`<body>${'<i>'.repeat(9_000)}${'</b>'.repeat(1_900_000)}`)
const failure = (reason: string) => ({ kind: 'failure', reason })

describe('extraction in threads', () => {
  // From the sources a thread takes seconds to start: one for all.
  let extractor: ArticleExtractor
  beforeAll(() => {
    extractor = createExtractor({ threads: 1, deadlineMs: 5_000 })
  })
  afterAll(() => extractor.close())

  it('gives what the function gives, for each page its own', async () => {
    const pages = [1, 2, 3, 4, 5, 6].map(story)
    expect(await Promise.all(pages.map((one) => extractor.extract(one)))).toEqual(
      pages.map((one) => extractArticle(one)),
    )
  })

  it('tries a rule beside the event loop', async () => {
    const rule = parseSiteRule({
      name: 'test',
      hosts: ['elsewhere.example'],
      content: ['article'],
      author: ['.nobody'],
    })
    const trial = await extractor.tryRule(rule, story(1))
    expect(trial.found).toMatchObject({ content: 1, author: 0 })
    expect(trial.problems).toEqual(['author: nothing on this page matches'])
  })

  it('ends a thread at its deadline; pages before and behind are not affected', async () => {
    const pages = [story(1), ENDLESS, story(2), story(3)]
    expect(await Promise.all(pages.map((one) => extractor.extract(one)))).toEqual([
      extractArticle(story(1)),
      failure('too-costly'),
      extractArticle(story(2)),
      extractArticle(story(3)),
    ])
  })

  it('does not even hand over what is too large', async () => {
    expect(await extractor.extract(page('x'.repeat(50 * 1024 * 1024)))).toEqual(failure('too-large'))
  })
})

it('a thread that takes too much memory is ended, and nothing else', async () => {
  const extractor = createExtractor({ threads: 1, memoryMb: 96, deadlineMs: 600_000 })
  const attributes = Array.from({ length: 36 }, (_, at) => `a${at}`).join(' ')
  const greedy = page(`<body>${`<p ${attributes}>`.repeat(55_000)}`)
  expect(await Promise.all([extractor.extract(greedy), extractor.extract(story(1))])).toEqual([
    failure('too-costly'),
    extractArticle(story(1)),
  ])
  await extractor.close()
})

it('an extractor that is closed refuses pages', async () => {
  const extractor = createExtractor()
  await extractor.close()
  await expect(extractor.extract(story(1))).rejects.toMatchObject({ code: 'NODE_BUSY' })
})
