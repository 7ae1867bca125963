import type { Item, ItemSeq, PageFacts } from '../model/index.ts'
import { stripMarkup } from '../store/text/markup.ts'
import type { Article } from './article.ts'
import { CategoryModel, UNCATEGORIZED } from './categories.ts'

export type PageCategory = Pick<PageFacts, 'category' | 'categoryIs'>

interface ArchiveReader {
  lastItemSeq(): Promise<ItemSeq>
  itemsAfter(seq: ItemSeq, limit: number): Promise<readonly Item[]>
}

/** What was stored last is what is like what comes. */
const ITEMS_TO_LEARN_FROM = 2_000

/** The category of articles: declared by the page, else by the feed, else by words learnt from what is declared. */
export class PageCategories {
  readonly #store: ArchiveReader
  #model: Promise<CategoryModel> | null = null

  constructor(store: ArchiveReader) {
    this.#store = store
  }

  async choose(article: Pick<Article, 'title' | 'text' | 'categories'>, item: Item): Promise<PageCategory> {
    // Not stored: it is learnt again after a start, from the archive.
    const model = await (this.#model ??= this.#learnFromArchive())
    const text = `${article.title ?? item.title ?? ''} ${article.text}`
    const declared = declaredCategory(article.categories, item.categories)
    if (declared !== null) {
      model.learn(text, [declared.category], item.sourceId)
      return declared
    }
    const { category } = model.guess(text, item.sourceId)
    return { category, categoryIs: category === UNCATEGORIZED ? null : 'learnt' }
  }

  async #learnFromArchive(): Promise<CategoryModel> {
    const model = new CategoryModel()
    const last = await this.#store.lastItemSeq()
    for (const item of await this.#store.itemsAfter(Math.max(0, last - ITEMS_TO_LEARN_FROM), ITEMS_TO_LEARN_FROM)) {
      const declared = declaredCategory([], item.categories)
      if (declared !== null) model.learn(textOf(item), [declared.category], item.sourceId)
    }
    return model
  }
}

/** The first that says something; null: none is declared. */
export function declaredCategory(ofPage: readonly string[], ofFeed: readonly string[]): PageCategory | null {
  const first = (names: readonly string[]) => names.map((name) => name.trim()).find((name) => name !== '')
  const page = first(ofPage)
  if (page !== undefined) return { category: page, categoryIs: 'page' }
  const feed = first(ofFeed)
  return feed === undefined ? null : { category: feed, categoryIs: 'feed' }
}

function textOf({ title, summary, content, article }: Item): string {
  return stripMarkup(`${title ?? ''} ${article ?? content ?? summary ?? ''}`)
}
