import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type DedupResult, deduplicate, prepare } from '../../src/crawler/dedup/deduplicate.ts'
import type { InstantMs, ItemKey, ParsedItem, WindowEntry } from '../../src/model/index.ts'
import { type Corpus, corpusFolder, Examination } from './corpus.ts'

const newOnce = (feed: string) => `${feed}: ids that were new when they first came, once, and never again`
const REAPPEARED = 'reappearances that were not taken for new'

/**
 * The same real feeds over months, version by version, through what the crawler does with them. An id is what its publisher
 * gives: an item must be new when its id comes first, once, and never again. The exception is an item whose guid is new although
 * the item is not, by the rule of docs/decisions/0005-identity.md; each is named with the reason.
 */
export const histories: Corpus = {
  name: 'feed-histories',
  run() {
    const folder = corpusFolder('feed-histories')
    const exam = new Examination(folder)
    exam.require(REAPPEARED, 1)
    for (const feed of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
      if (feed.isDirectory()) replay(feed.name, join(folder, feed.name), exam)
    }
    return exam.result('feed-histories')
  },
}

function replay(feed: string, folder: string, exam: Examination): void {
  exam.require(newOnce(feed), 1)
  const source = new ReplayedSource()
  const times = readTimes(folder)
  const timesNew = new Map<string, number>()
  let lastIds: ReadonlySet<string> = new Set()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.xml.gz'))) {
    const result = exam.readBytes(`${feed}/${file}`, gunzipSync(readFileSync(join(folder, file))))
    if (result === null) continue
    const { added } = source.refresh(result.items, times.get(file.replace('.gz', '')) ?? 0)
    const newIds = added.map(({ item }) => idOf(item))
    const ids = result.items.map(idOf)
    const isFirst = new Set(ids.filter((id) => !timesNew.has(id)))
    for (const id of ids) {
      // Back after it was gone, or a second time in the document where it is new.
      if (timesNew.has(id) && !lastIds.has(id)) {
        const times = newIds.filter((one) => one === id).length
        exam.count(REAPPEARED, times === (isFirst.has(id) ? 1 : 0), () => `${feed}/${file}: ${id} is new again`)
      }
      if (!timesNew.has(id)) timesNew.set(id, 0)
    }
    for (const id of newIds) timesNew.set(id, (timesNew.get(id) ?? 0) + 1)
    lastIds = new Set(ids)
  }
  for (const [id, times] of timesNew) {
    if (source.renamedIds.has(id)) exam.skip(`the same item under another guid (0005-identity.md): ${feed} ${id}`)
    else exam.count(newOnce(feed), times === 1, () => `${feed}: ${id} was new ${times} times`)
  }
}

/** A source with its archive: what crawler and store do together, without either. */
class ReplayedSource {
  /** Ids whose items were known under others. */
  readonly renamedIds = new Set<string>()
  private readonly archive = new Map<ItemKey, string>()
  private window: readonly WindowEntry[] = []
  private guidChanges = 0
  private lastAt: InstantMs | null = null

  refresh(items: readonly ParsedItem[], at: InstantMs): DedupResult {
    const prepared = prepare(items, this.window, this.lastAt === null)
    const archived = new Map(prepared.unsettled.flatMap((key) => this.lookUp(key)))
    const result = deduplicate(prepared, archived, {
      guidChanges: this.guidChanges,
      sinceLastMs: this.lastAt === null ? 0 : at - this.lastAt,
    })
    for (const { from, to } of result.renamed) {
      this.archive.set(to, this.archive.get(from) ?? '')
      this.archive.delete(from)
      const index = prepared.identities.findIndex(({ primary, composite }) => primary === to || composite() === to)
      if (index >= 0) this.renamedIds.add(idOf(items[index] as ParsedItem))
    }
    for (const { key, contentHash } of [...result.added, ...result.changed]) this.archive.set(key, contentHash)
    this.window = result.window
    this.guidChanges = result.guidChanges
    this.lastAt = at
    return result
  }

  private lookUp(key: ItemKey): readonly (readonly [ItemKey, string])[] {
    const hash = this.archive.get(key)
    return hash === undefined ? [] : [[key, hash]]
  }
}

/** When each version was served. */
function readTimes(folder: string): ReadonlyMap<string, InstantMs> {
  const rows = readFileSync(join(folder, 'index.tsv'), 'utf8').split('\n').slice(1)
  return new Map(rows.map((row) => row.split('\t')).map(([file, time]) => [file ?? '', Date.parse(time ?? '')]))
}

function idOf(item: ParsedItem): string {
  return item.id ?? item.link ?? item.title ?? ''
}
