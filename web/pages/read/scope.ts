import { t } from '../../language/current.ts'
import { categoryFeed, queryFeedPath } from '../../session/feed-paths.ts'

/** What is read: everything, the starred, or one feed, category or source; and how it is narrowed. */
export interface Scope {
  readonly feed?: string
  readonly category?: string
  readonly sourceId?: number
  readonly starred?: boolean
  readonly unread?: boolean
  readonly text?: string
}

export function scopeFrom(params: URLSearchParams): Scope {
  const feed = params.get('feed')
  const category = params.get('category')
  const source = Number(params.get('source'))
  const text = params.get('text')?.trim()
  const which = feed ? { feed } : category ? { category } : source > 0 ? { sourceId: source } : {}
  return {
    ...which,
    ...(params.get('starred') ? { starred: true } : {}),
    ...(params.get('unread') ? { unread: true } : {}),
    ...(text ? { text } : {}),
  }
}

export function paramsOf(scope: Scope): URLSearchParams {
  const params = new URLSearchParams()
  if (scope.feed !== undefined) params.set('feed', scope.feed)
  if (scope.category !== undefined) params.set('category', scope.category)
  if (scope.sourceId !== undefined) params.set('source', String(scope.sourceId))
  if (scope.starred) params.set('starred', '1')
  if (scope.unread) params.set('unread', '1')
  if (scope.text !== undefined) params.set('text', scope.text)
  return params
}

/** As the API wants it. */
export function queryOf({ starred, unread, ...rest }: Scope) {
  return { ...rest, ...(starred ? { starred: 'true' as const } : {}), ...(unread ? { unread: 'true' as const } : {}) }
}

export function hrefOf(scope: Scope): string {
  const search = paramsOf(scope).toString()
  return search === '' ? '/read' : `/read?${search}`
}

/** What the node calls the things that are read. */
interface Names {
  readonly feeds: readonly { readonly feed: string; readonly title: string | null }[]
  readonly sources: readonly { readonly sourceId: number; readonly name: string }[]
}

export function titleOf(scope: Scope, names: Names | null): string {
  if (scope.feed !== undefined) return names?.feeds.find(({ feed }) => feed === scope.feed)?.title ?? scope.feed
  if (scope.category !== undefined) return scope.category
  if (scope.sourceId !== undefined)
    return (
      names?.sources.find(({ sourceId }) => sourceId === scope.sourceId)?.name ??
      t.read.sourceNumber({ id: String(scope.sourceId) })
    )
  return scope.starred ? t.read.starred : t.read.everything
}

/** Whether a folder, or one within it, is read. */
export function isWithin({ category }: Scope, folder: string): boolean {
  return category === folder || category?.startsWith(`${folder}/`) === true
}

/** Its published feed, which can be followed; null: there is none. */
export function feedOf({ feed, category, sourceId }: Scope): string | null {
  if (feed !== undefined) return queryFeedPath(feed)
  if (category !== undefined) return categoryFeed(category)
  return sourceId === undefined ? null : `/feeds/source/${sourceId}`
}
