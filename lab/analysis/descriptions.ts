import { entryAt } from '../../src/model/entry-at.ts'
import type { SourceDescription } from './index.ts'

/**
 * What a list of sources beside a trace says about them: CSV with a header, whose columns `source_id`, `title`, `url` or
 * `feed_url`, and `category` are used where they are there (others, such as `repository`, serve as a title).
 */
export function readDescriptions(csv: string): Map<string, SourceDescription> {
  const [header, ...rows] = parseCsv(csv)
  const found = new Map<string, SourceDescription>()
  if (header === undefined) return found
  const column = (...names: readonly string[]) => header.findIndex((name) => names.includes(name))
  const [id, url, category] = [column('source_id'), column('url', 'feed_url'), column('category')]
  const title = column('title', 'subreddit', 'repository', 'name')
  for (const row of rows) {
    const key = row[id]
    if (key === undefined || key === '') continue
    found.set(key, {
      title: row[title] ?? null,
      url: row[url] ?? null,
      feedCategories: category >= 0 && row[category] ? [row[category]] : [],
      itemCategories: [],
    })
  }
  return found
}

/** RFC 4180: quoted fields may hold commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  const endField = () => {
    row.push(field)
    field = ''
  }
  const endRow = () => {
    endField()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let index = 0; index < text.length; index++) {
    const character = entryAt(text, index)
    if (quoted) {
      if (character !== '"') field += character
      else if (text[index + 1] === '"') field += entryAt(text, ++index)
      else quoted = false
    } else if (character === '"') quoted = true
    else if (character === ',') endField()
    else if (character === '\n') endRow()
    else if (character !== '\r') field += character
  }
  if (field !== '' || row.length > 0) endRow()
  return rows
}
