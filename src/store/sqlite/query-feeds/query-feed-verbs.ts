import type { Selectivity } from '../../../model/index.ts'
import { QUERY_READER, type QueryFeedStore } from '../../query-feeds.ts'
import { moveReader } from '../buffer/reader-rows.ts'
import type { DatabaseAccess } from '../database/access.ts'
import { readCounter } from '../database/counters.ts'
import { lastItemSeq, readItemsAfter, readTitlesAfter, seqBefore, seqBeforeLast } from '../items/archive-order.ts'
import { lastStoredItems } from '../items/arrivals.ts'
import {
  countBetween,
  dropOrphans,
  readAfter,
  readNewest,
  readPublicationState,
  readPublishedIn,
  readPublishedSeqs,
  writeCatchUp,
  writePublications,
} from './publications.ts'
import { changeQueries, findQueryFeed, listQueryFeeds, markQueriesChanged, readProcessedUpTo } from './query-feeds.ts'
import { beginCounts, findSourcesOfFeed, readSelectivities, type SelectivityPosition } from './selectivities.ts'
import {
  addToken,
  listDeadLetters,
  listRequeuedLetters,
  listSubscriptions,
  listTokens,
  recordDelivery,
  removeToken,
  requeueDeadLetters,
  settleDeadLetter,
} from './subscriptions.ts'

const COUNTED_AT_A_TIME = 20

/** The part of the store for query feeds. */
export function queryFeedVerbs({
  connection,
  read,
  write,
  snapshot,
  bufferChanged,
  notifier,
  now,
}: DatabaseAccess): QueryFeedStore {
  const { sql } = connection
  const writeQueries = <T>(action: () => T): Promise<T> =>
    write(() => {
      markQueriesChanged(connection)
      return action()
    })
  const thenNotifyBuffer = async <T>(written: Promise<T>): Promise<T> => {
    const result = await written
    bufferChanged()
    return result
  }

  return {
    queryRevision: () => read(() => readCounter(connection, 'queries')),
    queryFeeds: () => read(() => listQueryFeeds(connection)),
    queryFeed: (name) => read(() => findQueryFeed(connection, name)),
    async changeQueries(changes, revision, at) {
      const result = await thenNotifyBuffer(write(() => changeQueries(connection, changes, revision, at)))
      notifier.notify('queries')
      while ((await write(() => dropOrphans(connection))) > 0) {}
      return result
    },
    updateQueryFeed: (id, { isPrivate, weight, wish }) =>
      writeQueries(() => {
        if (wish !== undefined) {
          sql('UPDATE query_feed SET wish = ? WHERE id = ?').run(wish && JSON.stringify(wish), id)
        }
        const flag = isPrivate === undefined ? null : Number(isPrivate)
        sql('UPDATE query_feed SET private = coalesce(?, private), weight = coalesce(?, weight) WHERE id = ?').run(
          flag,
          weight ?? null,
          id,
        )
      }),

    publish: (record) =>
      thenNotifyBuffer(
        write(() => {
          moveReader(connection, QUERY_READER, record.cursor, now())
          return writePublications(connection, record)
        }),
      ),
    async publishCatchUp(record) {
      const { published, feedIds } = await write(() => writeCatchUp(connection, record))
      for (const feedId of record.isEnd ? feedIds : []) {
        const found = await read(() => findSourcesOfFeed(connection, feedId))
        for (let from = 0; from < found.length; from += COUNTED_AT_A_TIME) {
          await write(() => beginCounts(connection, feedId, found.slice(from, from + COUNTED_AT_A_TIME)))
        }
      }
      return published
    },
    publications: (feedId, page) => read(() => readNewest(connection, feedId, page)),
    publicationsAfter: (feedId, page) => read(() => readAfter(connection, feedId, page)),
    publicationState: (feedId) => read(() => readPublicationState(connection, feedId)),
    publishedBetween: (feedId, since, until) => read(() => countBetween(connection, feedId, since, until)),
    publishedIn: (seqs) => snapshot(() => readPublishedIn(connection, seqs)),
    async selectivities() {
      const all: Selectivity[] = []
      for (let after: SelectivityPosition | null = { feedId: 0, sourceId: 0 }; after !== null; ) {
        const from: SelectivityPosition = after
        const { some, next } = await read(() => readSelectivities(connection, from))
        all.push(...some)
        after = next
      }
      return all
    },

    itemsAfter: (seq, limit, parts) => read(() => readItemsAfter(connection, seq, limit, parts)),
    titlesAfter: (seq, limit) => read(() => readTitlesAfter(connection, seq, limit)),
    lastItemSeq: () => read(() => lastItemSeq(connection)),
    processedUpTo: () => snapshot(() => readProcessedUpTo(connection)),
    arrivedSeqs: (scope, { upTo, limit }) => snapshot(() => lastStoredItems(connection, scope, limit, upTo).reverse()),
    publishedSeqs: (feedId, page) => read(() => readPublishedSeqs(connection, feedId, page)),
    itemSeqBefore: (firstSeenAt) => snapshot(() => seqBefore(connection, firstSeenAt)),
    itemSeqBeforeLast: (count) => snapshot(() => seqBeforeLast(connection, count)),

    subscriptions: (feedId) => read(() => listSubscriptions(connection, feedId)),
    recordDelivery: (id, delivery) => write(() => recordDelivery(connection, id, delivery)),
    deadLetters: (page) => read(() => listDeadLetters(connection, page)),
    requeueDeadLetters: (which) => write(() => requeueDeadLetters(connection, which)),
    requeuedDeadLetters: (limit) => read(() => listRequeuedLetters(connection, limit)),
    settleDeadLetter: (id, failure) => write(() => settleDeadLetter(connection, id, failure)),
    addFeedToken: (feedId, token, now) => writeQueries(() => addToken(connection, feedId, token, now)),
    removeFeedToken: (id) => writeQueries(() => removeToken(connection, id)),
    feedTokens: (feedId) => read(() => listTokens(connection, feedId)),
  }
}
