import type { ItemSeq } from '../../model/index.ts'
import type { WordsNeeded } from '../text/words-needed.ts'
import type { Connection } from './connection.ts'

/** By the text index, which must be complete: see store.ts. */
export function readSeqsHolding(
  { sql }: Connection,
  needed: WordsNeeded,
  { after, limit }: { readonly after: ItemSeq; readonly limit: number },
): ItemSeq[] {
  return sql('SELECT rowid FROM item_text WHERE item_text MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?')
    .pluck()
    .all(matchOf(needed), after, Math.max(0, limit)) as ItemSeq[]
}

function matchOf(needed: WordsNeeded): string {
  if (needed.kind === 'word') return `"${needed.word}" *`
  return `(${needed.of.map(matchOf).join(needed.kind === 'and' ? ' AND ' : ' OR ')})`
}
