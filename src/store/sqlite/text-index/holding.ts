import type { ItemSeq } from '../../../model/index.ts'
import { pairHashes } from '../../text/pair-filter.ts'
import { mayEndIn, phrasesOfAll, TAIL_CHARACTERS, type WordNeeds } from '../../text/words-needed.ts'
import type { Connection } from '../database/connection.ts'
import { PhraseFilter } from './phrase-filter.ts'

/** By the text index, which must be complete: see store.ts. */
export function readSeqsHolding(
  { sql }: Connection,
  needed: WordNeeds,
  { after, limit }: { readonly after: ItemSeq; readonly limit: number },
): ItemSeq[] {
  return sql<ItemSeq>('SELECT rowid FROM item_text WHERE item_text MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?')
    .pluck()
    .all(matchOf(needed), after, Math.max(0, limit))
}

/** Only the last word of a phrase may be cut (words-needed.ts). */
function matchOf(needed: WordNeeds): string {
  if (needed.kind === 'word') return `"${needed.word}" *`
  if (needed.kind === 'phrase') return `(${needed.words.map((word) => `"${word}"`).join(' AND ')} *)`
  return `(${needed.of.map(matchOf).join(needed.kind === 'and' ? ' AND ' : ' OR ')})`
}

/** By the filters for phrases, as far as they were made: without those that surely lack one of the phrases. */
export function readHoldingPhrases(
  connection: Connection,
  seqs: readonly ItemSeq[],
  needed: WordNeeds,
): readonly ItemSeq[] {
  const phrases = phrasesOfAll(needed)
  if (phrases.length === 0) return seqs
  const pairs = phrases.map(({ words }) => pairHashes(words, false))
  const fitting = new Set(new PhraseFilter(connection).among(seqs, pairs))
  const others = seqs.filter((seq) => !fitting.has(seq))
  const lastWords = phrases.flatMap(({ words }) => words.slice(-1))
  for (const { seq, tail } of endsOfSummaries(connection, others)) {
    if (lastWords.some((word) => mayEndIn(tail, word))) fitting.add(seq)
  }
  return seqs.filter((seq) => fitting.has(seq))
}

/** Ends of summaries that may be the beginning of a content, and so in neither index nor filter. */
function endsOfSummaries({ sql }: Connection, seqs: readonly ItemSeq[]): readonly { seq: ItemSeq; tail: string }[] {
  const rows = sql<[ItemSeq, string]>(
    `SELECT seq, substr(summary, -${TAIL_CHARACTERS}) FROM json_each(?) CROSS JOIN item ON seq = value
     WHERE summary IS NOT NULL AND content IS NOT NULL`,
  ).raw()
  return rows.all(JSON.stringify(seqs)).map(([seq, tail]) => ({ seq, tail }))
}
