/** A document of items that are new in every respect: ids, links and texts, by a name that was not used before. */
export function freshFeed(count: number, name: string): string {
  const items = Array.from(
    { length: count },
    (_, n) =>
      `<item><guid>${name}-${n}</guid><link>http://a.example/${name}/${n}</link><title>${name} ${n}</title></item>`,
  )
  return `<rss version="2.0"><channel><title>Flood</title>${items.join('')}</channel></rss>`
}
