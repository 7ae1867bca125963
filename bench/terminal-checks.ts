import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParsedItem, SourceId } from '../src/model/index.ts'

/** What terminals remember of the last document of a feed (advaRSS III: two files for every feed). */
export interface LocalChecks {
  isSameDocument(sourceId: SourceId, bodyHash: string): boolean
  /** Those whose title the last document did not have. */
  newArticles(sourceId: SourceId, items: readonly ParsedItem[]): readonly ParsedItem[]
  /** Only when the database has everything of it: what stands here is never handed over again. */
  remember(sourceId: SourceId, bodyHash: string, items: readonly ParsedItem[]): void
}

/** In a folder that all terminals share, so that any of them may be given any feed. */
export function openLocalChecks(folder: string): LocalChecks {
  const hashFile = (sourceId: SourceId) => join(folder, `${sourceId}.hash`)
  const titlesFile = (sourceId: SourceId) => join(folder, `${sourceId}.titles`)
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null)
  return {
    isSameDocument: (sourceId, bodyHash) => read(hashFile(sourceId)) === bodyHash,
    newArticles(sourceId, items) {
      const titles: readonly string[] = JSON.parse(read(titlesFile(sourceId)) ?? '[]')
      const known = new Set<string | null>(titles)
      return items.filter(({ title }) => !known.has(title))
    },
    remember(sourceId, bodyHash, items) {
      const titles = items.flatMap(({ title }) => (title === null ? [] : [title]))
      writeFileSync(titlesFile(sourceId), JSON.stringify(titles))
      writeFileSync(hashFile(sourceId), bodyHash)
    },
  }
}
