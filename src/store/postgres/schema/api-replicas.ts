/**
 * What processes that serve the API count and do together. Names of accounts and places are hashed: whoever tries may give
 * anything as a name, also a password.
 */
export const API_REPLICAS = `
  CREATE TABLE attempt (
    kind text COLLATE "C", key text COLLATE "C", amount double precision NOT NULL, at double precision NOT NULL,
    PRIMARY KEY (kind, key)
  ) WITH (fillfactor = 50);
  CREATE TABLE job (
    id text COLLATE "C" PRIMARY KEY, user_id bigint NOT NULL, is_over boolean NOT NULL, document text NOT NULL,
    posted_at double precision NOT NULL
  ) WITH (fillfactor = 50);`
