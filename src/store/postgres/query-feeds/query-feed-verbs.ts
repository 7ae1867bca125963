import { QUERY_READER, type QueryFeedStore } from '../../query-feeds.ts'
import { moveReader } from '../buffer/reader-rows.ts'
import { nextRevision, readCounter } from '../database/counters.ts'
import type { Access, Sql } from '../database/sql.ts'
import { lastItemSeq, readItemsAfter, readTitlesAfter, seqBefore, seqBeforeLast } from '../items/archive-order.ts'
import { lastStored } from '../items/arrivals.ts'
import {
  countBetween,
  readAfter,
  readNewest,
  readPublicationState,
  readPublishedIn,
  readPublishedSeqs,
} from './publications.ts'
import { writeCatchUpRecord, writePublishRecord } from './publishing.ts'
import { changeQueries, findQueryFeed, listQueryFeeds, readProcessedUpTo } from './query-feeds.ts'
import { readSelectivities } from './selectivities.ts'
import {
  addToken,
  listDeadLetters,
  listRequeued,
  listSubscriptions,
  listTokens,
  recordDelivery,
  removeToken,
  requeueDeadLetters,
  settleDeadLetter,
} from './subscriptions.ts'

/** The part of the store that speaks of query feeds. */
export function queryFeedVerbs(access: Access): QueryFeedStore {
  const { vault, bufferChanged } = access
  const writeQueries = <T>(action: (sql: Sql) => Promise<T>): Promise<T> =>
    access.transaction(['settings'], async (sql) => {
      await nextRevision(sql, 'queries')
      return action(sql)
    })
  const toldBuffer = async <T>(written: Promise<T>): Promise<T> => {
    const result = await written
    bufferChanged()
    return result
  }

  return {
    queryRevision: () => readCounter(access, 'queries'),
    queryFeeds: () => listQueryFeeds(access),
    queryFeed: (name) => findQueryFeed(access, name),
    async changeQueries(changes, revision, now) {
      const result = await toldBuffer(
        access.transaction(['settings', 'publications', 'words'], (sql) =>
          changeQueries(sql, vault, changes, revision, now),
        ),
      )
      access.notifier.notify('queries')
      return result
    },
    updateQueryFeed: (id, { isPrivate, weight, wish }) =>
      writeQueries(async (sql) => {
        if (wish !== undefined) {
          await sql.run('UPDATE query_feed SET wish = $2 WHERE id = $1', [id, wish && JSON.stringify(wish)])
        }
        await sql.run(
          'UPDATE query_feed SET private = coalesce($2, private), weight = coalesce($3, weight) WHERE id = $1',
          [id, isPrivate ?? null, weight ?? null],
        )
      }),

    publish: (record) =>
      toldBuffer(
        access.transaction(['publications'], async (sql) => {
          await moveReader(sql, QUERY_READER, record.cursor, access.now())
          return writePublishRecord(sql, record, { countsItems: true })
        }),
      ),
    publishCatchUp: (record) =>
      access.transaction(['settings', 'publications'], (sql) => writeCatchUpRecord(sql, record)),
    publications: (feedId, page) => readNewest(access, feedId, page),
    publicationsAfter: (feedId, page) => readAfter(access, feedId, page),
    publicationState: (feedId) => readPublicationState(access, feedId),
    publishedBetween: (feedId, since, until) => countBetween(access, feedId, since, until),
    publishedIn: (seqs) => readPublishedIn(access, seqs),
    selectivities: () => readSelectivities(access),

    itemsAfter: (seq, limit, parts) => readItemsAfter(access, seq, limit, parts),
    titlesAfter: (seq, limit) => readTitlesAfter(access, seq, limit),
    lastItemSeq: () => lastItemSeq(access),
    processedUpTo: () => readProcessedUpTo(access),
    arrivedSeqs: async (scope, { upTo, limit }) =>
      (await lastStored(access, scope, limit, upTo)).map(({ seq }) => seq).reverse(),
    publishedSeqs: (feedId, page) => readPublishedSeqs(access, feedId, page),
    itemSeqBefore: (firstSeenAt) => seqBefore(access, firstSeenAt),
    itemSeqBeforeLast: (count) => seqBeforeLast(access, count),

    subscriptions: (feedId) => listSubscriptions(access, vault, feedId),
    recordDelivery: (id, delivery) => access.transaction([], (sql) => recordDelivery(sql, id, delivery)),
    deadLetters: (page) => listDeadLetters(access, page),
    requeueDeadLetters: (which) => requeueDeadLetters(access, which),
    requeuedDeadLetters: (limit) => listRequeued(access, limit),
    settleDeadLetter: (id, failure) => settleDeadLetter(access, id, failure),
    addFeedToken: (feedId, token, now) => writeQueries((sql) => addToken(sql, feedId, token, now)),
    removeFeedToken: (id) => writeQueries((sql) => removeToken(sql, id)),
    feedTokens: (feedId) => listTokens(access, feedId),
  }
}
