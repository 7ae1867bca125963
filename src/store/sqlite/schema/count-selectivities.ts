/** A step of the schema: counts of the earlier form are computed again from the archive (../selectivity.ts). */
export const COUNT_SELECTIVITIES = `
  UPDATE kept_share SET (weight, at_items, since_items) = (
    SELECT count(p.seq), l.items, l.items - count(*)
    FROM query_feed f JOIN looked_at l ON l.source_id = kept_share.source_id
    JOIN item i ON i.source_id = kept_share.source_id AND i.seq > coalesce(f.began_after, f.history_up_to)
    LEFT JOIN publication p ON p.feed_id = f.id AND p.item_seq = i.seq
    WHERE f.id = kept_share.feed_id HAVING count(*) > 0
  )
  WHERE EXISTS (
    SELECT 1 FROM query_feed f JOIN looked_at l ON l.source_id = kept_share.source_id
    JOIN item i ON i.source_id = kept_share.source_id AND i.seq > coalesce(f.began_after, f.history_up_to)
    WHERE f.id = kept_share.feed_id
  );
`
