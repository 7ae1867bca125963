import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { prepare, tellApart } from '../../src/crawler/dedup/tell-apart.ts'
import type { ItemKey, ParsedItem, WindowEntry } from '../../src/model/index.ts'
import { type Corpus, corpusFolder, Examination } from './corpus.ts'

const NEW_ONCE = 'ids that were new when they first came, and only then'
const REAPPEARED = 'reappearances that were not taken for new'

/**
 * The same real feeds over months, version by version, through what the crawler does with them. An id is what its publisher
 * gives: an item must be new when its id comes first and never again. The rule for the exception, where guids are rewritten, stands in
 * docs/decisions/0005-identity.md; here it has no occasion.
 */
export const histories: Corpus = {
  name: 'feed-histories',
  run() {
    const exam = new Examination(corpusFolder('feed-histories'))
    exam.require(NEW_ONCE, 1)
    exam.require(REAPPEARED, 1)
    const folder = corpusFolder('feed-histories')
    for (const feed of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
      if (feed.isDirectory()) replay(feed.name, join(folder, feed.name), exam)
    }
    return exam.result('feed-histories')
  },
}

function replay(feed: string, folder: string, exam: Examination): void {
  const archived = new Map<ItemKey, string>()
  const added = new Map<string, number>()
  const seen = new Set<string>()
  let window: readonly WindowEntry[] = []
  let lastIds = new Set<string>()
  let guidChanges = 0
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.xml.gz'))) {
    const result = exam.readBytes(`${feed}/${file}`, gunzipSync(readFileSync(join(folder, file))))
    if (result === null) continue
    const told = tellApart(prepare(result.items, window, window.length === 0), archived, {
      guidChanges,
      sinceLastMs: 0,
    })
    const newIds = new Set(told.added.map(({ item }) => idOf(item)))
    for (const id of newIds) added.set(id, (added.get(id) ?? 0) + 1)
    const ids = new Set(result.items.map(idOf))
    for (const id of ids) {
      if (!seen.has(id) || lastIds.has(id)) continue
      exam.count(REAPPEARED, !newIds.has(id), () => `${feed}/${file}: ${id} is new again`)
    }
    for (const id of ids) seen.add(id)
    for (const { key, contentHash } of [...told.added, ...told.changed]) archived.set(key, contentHash)
    for (const { from, to } of told.renamed) archived.set(to, archived.get(from) ?? '')
    window = told.window
    guidChanges = told.guidChanges
    lastIds = ids
  }
  for (const id of seen) {
    exam.count(NEW_ONCE, added.get(id) === 1, () => `${feed}: ${id} was new ${added.get(id) ?? 0} times`)
  }
}

function idOf(item: ParsedItem): string {
  return item.id ?? item.link ?? item.title ?? ''
}
