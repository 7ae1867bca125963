/** Icons of sources (store/icons.ts). */
export const ICONS = `
  CREATE TABLE source_icon (
    source_id bigint PRIMARY KEY, due_at bigint NOT NULL, attempts bigint NOT NULL, looked_at bigint, failure text, type text,
    hash text, body bytea
  );
  CREATE INDEX source_icon_due ON source_icon (due_at);`
