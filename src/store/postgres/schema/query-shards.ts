/** How query feeds are divided among matchers, and how far each part has come. Of a running cluster: a move leaves it behind. */
export const QUERY_SHARDS = `
  CREATE TABLE query_division (number bigint NOT NULL);
  INSERT INTO query_division VALUES (0);
  CREATE TABLE query_shard (shard integer PRIMARY KEY, cursor bigint NOT NULL) WITH (fillfactor = 25);
  CREATE TABLE query_feed_shard (feed_id bigint PRIMARY KEY, shard integer NOT NULL);`
