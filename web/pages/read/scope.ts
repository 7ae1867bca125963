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

export function titleOf(scope: Scope): string {
  if (scope.feed !== undefined) return scope.feed
  if (scope.category !== undefined) return scope.category
  if (scope.sourceId !== undefined) return `Source ${scope.sourceId}`
  return scope.starred ? 'Starred' : 'Everything'
}
