/** As the node writes it (src/publisher/addresses.ts). */
export function categoryFeed(category: string): string {
  return `/feeds/category/${category.split('/').map(encodeURIComponent).join('/')}`
}

export function queryFeedPath(name: string): string {
  return `/feeds/${encodeURIComponent(name)}`
}
