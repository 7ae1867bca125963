/** What people set for all processes of a cluster: one row at most. */
export const SETTINGS_DOCUMENT = `
  CREATE TABLE settings_document (
    id integer PRIMARY KEY CHECK (id = 1), version bigint NOT NULL, document text NOT NULL
  );`
