import type { Article, ArticlePage } from '../../../src/articles/article.ts'
import { extractArticle } from '../../../src/articles/extract/extract.ts'
import { authorOf } from '../../../src/articles/extract/metadata/author.ts'
import { publicationTime } from '../../../src/articles/extract/metadata/date.ts'
import { ldText } from '../../../src/articles/extract/metadata/json-ld.ts'
import { canonicalLanguage } from '../../../src/articles/extract/metadata/language.ts'
import { type DocumentFacts, readFacts } from '../../../src/articles/extract/metadata/page-facts.ts'
import { fold, plain } from '../../../src/articles/extract/metadata/title.ts'
import { readDocument } from '../../../src/articles/extract/page/read-page.ts'
import type { LabelledPage } from './pages.ts'

/*
 * What JSON-LD says of a page is what its publisher says: hidden from the extractor, it tells how right the extractor is where a page
 * has none.
 */

export type HiddenPart = 'title' | 'author' | 'date' | 'language'

export interface HiddenShare {
  readonly part: HiddenPart
  /** Pages whose JSON-LD says it. */
  readonly labelled: number
  readonly given: number
  readonly right: number
  readonly wrong: readonly string[]
}

const PARTS: readonly HiddenPart[] = ['title', 'author', 'date', 'language']

type Facts = Readonly<Record<HiddenPart, string | null>>

export function compareWithHidden(pages: readonly LabelledPage[]): readonly HiddenShare[] {
  const compared = pages.flatMap(({ name, page }) => {
    const label = labelOf(page)
    return label === null ? [] : [{ name, label, found: foundIn(hideJsonLd(page)) }]
  })
  return PARTS.map((part) => {
    const labelled = compared.filter(({ label }) => label[part] !== null)
    const isRight = ({ label, found }: (typeof labelled)[number]) => agrees(part, found[part], label[part])
    return {
      part,
      labelled: labelled.length,
      given: labelled.filter(({ found }) => found[part] !== null).length,
      right: labelled.filter(isRight).length,
      wrong: labelled
        .filter((one) => !isRight(one))
        .map(({ name, label, found }) => `${name.slice(0, 8)} ${part}: ${found[part]} instead of ${label[part]}`),
    }
  })
}

function hideJsonLd(page: ArticlePage): ArticlePage {
  const text = Buffer.from(page.body).toString('latin1')
  return { ...page, body: Buffer.from(text.replace(/application\/ld\+json/gi, 'text/hidden'), 'latin1') }
}

/** null: the page has no article in JSON-LD. */
function labelOf(page: ArticlePage): Facts | null {
  const read = readDocument(page)
  if (typeof read === 'string') return null
  const facts = readFacts(read)
  if (facts.article === null) return null
  // Only what stands in JSON-LD, read as it is read always.
  const alone: DocumentFacts = { ...facts, metas: new Map(), document: NOTHING, url: '', pageText: '' }
  return {
    title: plain(ldText(facts.article['headline']) ?? '') || null,
    author: authorOf(alone),
    date: dayOf(publicationTime(alone)),
    language: canonicalLanguage(ldText(facts.article['inLanguage'])),
  }
}

const empty = readDocument({ url: 'https://example.org/', contentType: 'text/html', body: Buffer.from('<p></p>') })
if (typeof empty === 'string') throw new Error('an empty page could not be read')
const NOTHING = empty.document

function foundIn(page: ArticlePage): Facts {
  const extraction = extractArticle(page)
  const article: Partial<Article> = extraction.kind === 'article' ? extraction.article : {}
  return {
    title: article.title ?? null,
    author: article.author ?? null,
    date: dayOf(article.published ?? null),
    language: article.language ?? null,
  }
}

function dayOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString().slice(0, 10)
}

/** As score.py compares: titles folded, one author within the other, the same day, the same language whatever its region. */
function agrees(part: HiddenPart, found: string | null, label: string | null): boolean {
  if (found === null || label === null) return false
  if (part === 'date') return found === label
  if (part === 'language') return found.split('-')[0] === label.split('-')[0]
  const [ours, theirs] = [fold(found), fold(label)]
  return ours === theirs || (part === 'author' && ours !== '' && (ours.includes(theirs) || theirs.includes(ours)))
}
