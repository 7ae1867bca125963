import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { type MatchShare, shareOf } from '../../rules/selectivity.ts'
import { COUNT_SELECTIVITIES } from './count-selectivities.ts'
import { migrate } from './migrations.ts'

it('counts of the form before become those of the archive; what has nothing there stays', () => {
  const db = new Database(':memory:')
  migrate(db)
  const items = db.prepare(
    "INSERT INTO item (source_id, key, sort_at, first_seen_at, changed_at, content_hash) VALUES (?, ?, 0, 0, 0, 'h')",
  )
  for (let i = 1; i <= 10; i++) items.run(i <= 8 ? 1 : 2, `${i}`)
  db.exec(`
    INSERT INTO query_feed (id, name, text, private, version, created_at, altered_at, history_up_to, began_after)
    VALUES (1, 'all', '', 0, 1, 0, 0, 3, 0), (2, 'half', '', 0, 1, 0, 0, 4, 4), (3, 'gone', '', 0, 1, 0, 0, 10, 10);
    INSERT INTO publication (feed_id, item_seq, published_at, history) SELECT 1, seq, 0, 0 FROM item;
    INSERT INTO publication (feed_id, item_seq, published_at, history) SELECT 2, seq, 0, 0 FROM item WHERE seq % 2 = 0;
    INSERT INTO looked_at VALUES (1, 5), (2, 2);
    INSERT INTO kept_share VALUES (1, 1, 0.5, 5, 4), (1, 2, 2, 2, 0), (2, 1, 1, 5, 4), (3, 1, 1, 5, 1);
  `)
  db.exec(COUNT_SELECTIVITIES)
  const rows = db
    .prepare(
      'SELECT feed_id AS feedId, k.source_id AS sourceId, weight, at_items AS atItems, since_items AS sinceItems, items FROM kept_share k JOIN looked_at USING (source_id) ORDER BY 1, 2',
    )
    .all()
  const shares = (rows as (MatchShare & { feedId: number; sourceId: number; items: number })[]).map((row) => [
    row.feedId,
    row.sourceId,
    shareOf(row, row.items).share,
  ])
  expect(shares).toEqual([
    [1, 1, 1],
    [1, 2, 1],
    [2, 1, 0.5],
    [3, 1, 0.25],
  ])
})
