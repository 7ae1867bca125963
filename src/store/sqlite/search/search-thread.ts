import { workerData } from 'node:worker_threads'
import type { ItemSeq } from '../../../model/index.ts'
import { answerInThread, notice } from '../../../runtime/threads.ts'
import type { ItemQuery } from '../../store.ts'
import { hasPhrase, parseTextQuery } from '../../text/query.ts'
import { openReader } from '../database/connection.ts'
import { readSeqs } from '../items/items.ts'
import { makeNextBlock } from '../text-index/phrase-blocks.ts'
import { TailPairs } from '../text-index/phrase-tail.ts'

// Searches in a thread with a connection of its own. Once somebody has searched for a phrase, filters for phrases are made
// between the questions and handed over to be stored.

const connection = openReader(workerData as string)
const tail = new TailPairs()
const handedOver = new Map<number, number>()
let isMaking = false

answerInThread<ItemQuery, ItemSeq[]>((query) => {
  const seqs = connection.snapshot(() => readSeqs(connection, query, tail))
  if (hasPhrase(parseTextQuery(query.text ?? ''))) makeFilters()
  return seqs
})

/** One block in each turn: a question that has come meanwhile goes first. */
function makeFilters(): void {
  if (isMaking) return
  isMaking = true
  const makeNext = () => {
    const block = connection.snapshot(() => makeNextBlock(connection, handedOver))
    if (block === null) {
      isMaking = false
      return
    }
    handedOver.set(block.block, block.editId)
    notice(block, block.slices === null ? [] : [block.slices.buffer as ArrayBuffer])
    setImmediate(makeNext)
  }
  setImmediate(makeNext)
}
