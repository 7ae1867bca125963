/** In the database of the bench: a note of each refresh that is written over a later one of the same source. */
export const WATCH = `
  CREATE TABLE bench_set_back (source_id bigint, was bigint, became bigint);
  CREATE FUNCTION bench_note_set_back() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO bench_set_back VALUES (OLD.source_id, OLD.last_check_at, NEW.last_check_at);
    RETURN NEW;
  END $$;
  CREATE TRIGGER bench_set_back BEFORE UPDATE ON source_state FOR EACH ROW
    WHEN (NEW.last_check_at < OLD.last_check_at) EXECUTE FUNCTION bench_note_set_back();`
