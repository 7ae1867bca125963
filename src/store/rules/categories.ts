/** `News/Science` lies in `News/Science` and in `News`. */
function withParents(category: string): string[] {
  const parts = category.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Every folder that a source with these categories is found in, each once. */
export function foldersOf(categories: readonly string[]): string[] {
  return [...new Set(categories.flatMap(withParents))]
}

/** Sorted by code unit and without repeats, as SourceSettings promises. */
export function normalCategories(categories: readonly string[]): string[] {
  return [...new Set(categories)].sort()
}
