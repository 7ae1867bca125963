/** What of a page can be found: its headings, and the text below each. */
export interface Found {
  readonly headings: readonly { readonly id: string; readonly text: string }[]
  readonly texts: readonly string[]
}

const START_LENGTH = 140

/** A script that a page loads from beside it: every section with its words, each once. */
export function searchIndex(contents: ReadonlyMap<string, Found>, labels: ReadonlyMap<string, string>): string {
  const entries = [...contents].flatMap(([path, { headings, texts }]) =>
    headings.map(({ id, text }, index) => {
      const below = (texts[index] ?? '').replace(/\s+/g, ' ').trim()
      const words = new Set(below.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [])
      const page = labels.get(path) ?? path
      return {
        path: index === 0 ? path : `${path}#${id}`,
        page,
        title: index === 0 ? page : text,
        start: below.slice(0, START_LENGTH),
        words: [...words].join(' '),
      }
    }),
  )
  return `window.SEARCH_INDEX = ${JSON.stringify(entries)}\n`
}
