/** The words of pages that the node makes itself: the list of published feeds and the page of the API. */
export interface PageWords {
  readonly language: string
  readonly overview: string
  readonly feeds: {
    readonly title: string
    readonly lead: string
    readonly asJson: string
    readonly asOpml: string
    readonly feed: string
    readonly kind: string
    readonly subscribe: string
    readonly everything: string
    readonly kinds: Readonly<Record<'all' | 'category' | 'query' | 'source', string>>
  }
  readonly api: {
    readonly title: string
    readonly lead: (operations: number) => string
    readonly asOpenApi: string
    readonly inPath: string
    readonly inQuery: string
    readonly body: string
    readonly answer: (status: number) => string
    readonly nothing: string
    /** What is not said here is said in English, by the table of operations. */
    readonly summaries: Readonly<Record<string, string>>
    readonly tags: Readonly<Record<string, string>>
    readonly rights: Readonly<Record<string, string>>
    readonly documents: Readonly<Record<string, string>>
  }
}

export const ENGLISH_PAGES: PageWords = {
  language: 'en',
  overview: 'Overview',
  feeds: {
    title: 'Published feeds',
    lead: 'What anybody can subscribe to with any reader: everything, folders, query feeds and single sources.',
    asJson: 'as JSON',
    asOpml: 'as OPML',
    feed: 'Feed',
    kind: 'Kind',
    subscribe: 'Subscribe',
    everything: 'Everything',
    kinds: { all: 'all sources', category: 'folder', query: 'query feed', source: 'source' },
  },
  api: {
    title: 'The API of this node',
    lead: (operations) =>
      `${operations} operations. Each line opens: what it takes, what it gives, and the right that it needs.`,
    asOpenApi: 'as OpenAPI 3.1',
    inPath: 'Values in the path',
    inQuery: 'Values in the query',
    body: 'Body',
    answer: (status) => `Answer ${status}`,
    nothing: 'nothing',
    summaries: {},
    tags: {},
    rights: {},
    documents: {},
  },
}
