/** Pages that items link to (store/item-pages.ts), and what they add to their items. */
export const ITEM_PAGES = `
  ALTER TABLE source ADD COLUMN pages text;
  ALTER TABLE item ADD COLUMN article text;
  CREATE TABLE item_page (
    seq bigint PRIMARY KEY, source_id bigint NOT NULL, shard integer NOT NULL, due_at bigint, attempts bigint NOT NULL,
    fetched_at bigint, status bigint, failure text, url text NOT NULL, final_url text, facts text, body bytea
  );
  CREATE INDEX item_page_due ON item_page (due_at, seq) WHERE due_at IS NOT NULL;
  CREATE INDEX item_page_source ON item_page (source_id);`

/** What a site said of a page, to ask later whether it has changed; and until when the item waits for it. */
export const PAGE_VALIDATORS = `
  ALTER TABLE item_page ADD COLUMN content_type text, ADD COLUMN etag text, ADD COLUMN last_modified text,
    ADD COLUMN held_until bigint;
  CREATE INDEX item_page_held ON item_page (held_until) WHERE held_until IS NOT NULL;`
