/** Subscribers at our hub (store/hub.ts). */
export const HUB = `
  CREATE TABLE hub_subscription (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, feed_id bigint NOT NULL, callback text NOT NULL, format text NOT NULL,
    host text NOT NULL, secret text NOT NULL, created_at bigint NOT NULL, lease_ends_at bigint NOT NULL,
    delivered_seq bigint NOT NULL, delivered_at bigint, failure_count bigint NOT NULL DEFAULT 0, next_attempt_at bigint,
    last_error text, UNIQUE (feed_id, callback, format)
  );
  CREATE INDEX hub_subscription_host ON hub_subscription (host);`

/** Edits of items that were published before, which subscribers get, too. */
export const HUB_EDITS = `
  ALTER TABLE hub_subscription ADD COLUMN edits bigint NOT NULL DEFAULT 0, ADD COLUMN delivered_edits bigint NOT NULL DEFAULT 0`

/** Built-in feeds that somebody has subscribed to. */
export const HUB_TOPICS = `
  CREATE TABLE hub_topic (
    feed_id bigint PRIMARY KEY, path text NOT NULL UNIQUE, changed boolean NOT NULL, edition bigint NOT NULL
  );
  CREATE INDEX hub_topic_changed ON hub_topic (edition) WHERE changed;
  CREATE INDEX hub_subscription_place ON hub_subscription (feed_id, delivered_seq)`
