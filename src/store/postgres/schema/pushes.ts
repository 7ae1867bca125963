/** Subscriptions to hubs (store/pushes.ts). */
export const PUSHES = `
  CREATE TABLE push_subscription (
    source_id bigint PRIMARY KEY, kind text NOT NULL, hub text NOT NULL, topic text NOT NULL, key text NOT NULL UNIQUE,
    secret text NOT NULL, status text NOT NULL, lease_ends_at bigint, next_at bigint NOT NULL, failures bigint NOT NULL,
    last_error text, pushed_at bigint, pushes bigint NOT NULL, refused bigint NOT NULL, repeated bigint NOT NULL,
    digests text NOT NULL, changed_at bigint NOT NULL
  );
  CREATE INDEX push_subscription_next ON push_subscription (next_at);
  CREATE INDEX push_subscription_changed ON push_subscription (changed_at);`
