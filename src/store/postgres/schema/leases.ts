/**
 * Who is there, and who has which shard. Rows of leases are never deleted, so that their tokens never come again. They are
 * written every few seconds: no index is on what changes, and there is room for it in the page.
 */
export const LEASE_TABLES = `
  CREATE TABLE member (
    id text COLLATE "C" PRIMARY KEY, name text NOT NULL, roles text[] NOT NULL, version text NOT NULL,
    started_at bigint NOT NULL, last_seen_at bigint NOT NULL
  ) WITH (fillfactor = 10);
  CREATE TABLE lease (
    role text COLLATE "C", shard integer, owner text COLLATE "C", token bigint NOT NULL, until bigint NOT NULL,
    PRIMARY KEY (role, shard)
  ) WITH (fillfactor = 25);`
