import { SLOTS_OF_SPAN } from '../../../cluster/grant-limits.ts'

/** Amounts are exact up to this. */
const ROUNDING = '1e-9::double precision'
/** How long a member that says nothing is remembered, and what is the longest wait between two tries, milliseconds. */
const FORGET_AFTER_MS = 3_600_000
const LONGEST_RETRY_MS = 5_000
/** Whoever waits asks again until then, or is not there any more. */
const PATIENCE_MS = LONGEST_RETRY_MS + 1_000
/** Where only others can make room, nobody knows when they will. */
const SOON_MS = 100

const TABLES = `
  -- The clock of all: this server's. Milliseconds, with their fractions.
  CREATE FUNCTION cluster_now_ms() RETURNS double precision LANGUAGE sql VOLATILE
    AS $$ SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 $$;

  -- One row, or none before somebody has said what may be spent. What the terms mean is worked out by the program.
  CREATE TABLE grant_pool (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    requests double precision NOT NULL,
    per_ms double precision NOT NULL,
    factor double precision NOT NULL,
    wished_burst double precision NOT NULL,
    rate_per_ms double precision NOT NULL,
    burst double precision NOT NULL,
    limit_amount double precision,
    limit_span_ms double precision,
    balance double precision NOT NULL,
    earned_until double precision NOT NULL
  ) WITH (fillfactor = 20);
  CREATE TABLE grant_holding (
    member_id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL,
    amount double precision NOT NULL,
    until double precision NOT NULL,
    -- What it would have needed and did not get, since when, and when it said so.
    lack double precision NOT NULL,
    lack_since double precision NOT NULL,
    lack_said_at double precision NOT NULL
  ) WITH (fillfactor = 20);
  -- What was spent over the last span, by the beginning of its slot.
  CREATE TABLE grant_slot (at double precision PRIMARY KEY, amount double precision NOT NULL) WITH (fillfactor = 50);

  CREATE TABLE common_price (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    price double precision NOT NULL,
    is_low boolean NOT NULL,
    strategy text NOT NULL,
    period_ms double precision NOT NULL,
    by_hour double precision[] NOT NULL,
    revision bigint NOT NULL,
    token bigint NOT NULL,
    at double precision NOT NULL
  ) WITH (fillfactor = 20);
  CREATE TABLE price_report (
    member_id text COLLATE "C" PRIMARY KEY,
    spent double precision NOT NULL,
    waiting double precision NOT NULL,
    least_waiting double precision NOT NULL,
    sources double precision NOT NULL,
    exploring boolean NOT NULL,
    at double precision NOT NULL
  ) WITH (fillfactor = 20);`

/** What is granted and not accounted for takes room in the bucket: it may all be spent in the next moment. */
const EARN = `
  CREATE FUNCTION earn_grants(INOUT pool grant_pool, at_ms double precision) LANGUAGE plpgsql AS $function$
  BEGIN
    pool.balance := least(
      pool.balance + greatest(0, at_ms - pool.earned_until) * pool.rate_per_ms,
      pool.burst - coalesce((SELECT sum(h.amount) FROM grant_holding h), 0));
    pool.earned_until := greatest(pool.earned_until, at_ms);
  END
  $function$;

  CREATE FUNCTION follow_grants(INOUT pool grant_pool, now_ms double precision) LANGUAGE plpgsql AS $function$
  DECLARE over grant_holding;
  BEGIN
    -- What nobody has accounted for in time was spent; from then on it takes no room in the bucket.
    FOR over IN SELECT * FROM grant_holding h WHERE h.until <= now_ms AND h.amount > 0 ORDER BY h.until LOOP
      pool := earn_grants(pool, over.until);
      PERFORM spend_grants(pool, over.until, over.amount);
      UPDATE grant_holding h SET amount = 0 WHERE h.member_id = over.member_id;
    END LOOP;
    DELETE FROM grant_holding h WHERE h.until <= now_ms - ${FORGET_AFTER_MS};
    pool := earn_grants(pool, now_ms);
  END
  $function$;`

const SPEND = `
  CREATE FUNCTION spend_grants(pool grant_pool, at_ms double precision, spent double precision) RETURNS void
  LANGUAGE plpgsql AS $function$
  DECLARE slot_ms double precision := pool.limit_span_ms / ${SLOTS_OF_SPAN};
  BEGIN
    IF slot_ms IS NULL OR spent <= 0 THEN RETURN; END IF;
    INSERT INTO grant_slot AS s (at, amount) VALUES (floor(at_ms / slot_ms) * slot_ms, spent)
      ON CONFLICT (at) DO UPDATE SET amount = s.amount + excluded.amount;
  END
  $function$;`

/** One call for each draw; whoever draws at the same time waits for it, and the clock is read after the wait. */
const DRAW = `
  CREATE FUNCTION draw_grant(
    p_member text, p_number bigint, p_left double precision, p_back double precision,
    p_want double precision, p_least double precision, p_waited_ms double precision,
    p_window_ms double precision
  ) RETURNS TABLE (
    left_over double precision, amount double precision, retry_after_ms double precision,
    requests double precision, per_ms double precision, factor double precision, wished_burst double precision
  ) LANGUAGE plpgsql AS $function$
  #variable_conflict use_column
  DECLARE
    pool grant_pool;
    mine grant_holding;
    now_ms double precision;
    slot_ms double precision;
    stays double precision;
    returned double precision;
    room double precision := 'infinity';
    granted double precision := 0;
    wait_ms double precision := 0;
    over double precision;
    before double precision;
  BEGIN
    SELECT * INTO pool FROM grant_pool FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    now_ms := cluster_now_ms();
    pool := follow_grants(pool, now_ms);
    SELECT * INTO mine FROM grant_holding h WHERE h.member_id = p_member;
    IF p_number <= coalesce(mine.number, -1) THEN
      RETURN QUERY SELECT 0::double precision, 0::double precision, 0::double precision, pool.requests, pool.per_ms,
        pool.factor, pool.wished_burst;
      RETURN;
    END IF;

    mine.amount := coalesce(mine.amount, 0);
    stays := least(p_left, mine.amount);
    returned := least(p_back, mine.amount - stays);
    PERFORM spend_grants(pool, now_ms, mine.amount - stays - returned);
    pool.balance := pool.balance + returned;

    IF pool.limit_amount IS NOT NULL THEN
      slot_ms := pool.limit_span_ms / ${SLOTS_OF_SPAN};
      DELETE FROM grant_slot s WHERE s.at <= now_ms - pool.limit_span_ms - slot_ms;
      room := pool.limit_amount - coalesce((SELECT sum(s.amount) FROM grant_slot s), 0) - stays
        - coalesce((SELECT sum(h.amount) FROM grant_holding h WHERE h.member_id <> p_member), 0);
    END IF;
    -- What those need who have waited longer.
    before := coalesce((SELECT sum(h.lack) FROM grant_holding h WHERE h.member_id <> p_member
      AND h.lack > 0 AND h.lack_since < now_ms - p_waited_ms AND h.lack_said_at > now_ms - ${PATIENCE_MS}), 0);
    -- Something dearer than all that may be saved up is paid from a full bucket, and owed.
    IF p_want > 0 AND pool.balance - before >= least(p_least, pool.burst) - ${ROUNDING}
      AND room - before >= least(p_least, coalesce(pool.limit_amount, p_least)) - ${ROUNDING} THEN
      granted := least(p_want, pool.balance - before, room - before);
      -- Parts of what is of use are left to others.
      IF p_least > 0 THEN
        granted := greatest(least(p_least, p_want), p_least * floor(granted / p_least + 1e-6));
      END IF;
    END IF;
    pool.balance := pool.balance - granted;
    room := room - granted;

    IF granted < p_want THEN
      wait_ms := greatest(0, least(p_least + before, pool.burst) - pool.balance) / pool.rate_per_ms;
      over := least(p_least + before, coalesce(pool.limit_amount, p_least + before)) - room;
      IF over > ${ROUNDING} THEN
        wait_ms := greatest(wait_ms, coalesce((
          SELECT c.at + pool.limit_span_ms + slot_ms - now_ms
          FROM (SELECT s.at, sum(s.amount) OVER (ORDER BY s.at) AS leaves FROM grant_slot s) c
          WHERE c.leaves >= over ORDER BY c.at LIMIT 1), ${SOON_MS}));
      END IF;
      wait_ms := least(${LONGEST_RETRY_MS}, ceil(greatest(1, wait_ms)));
    END IF;

    INSERT INTO grant_holding AS h (member_id, number, amount, until, lack, lack_since, lack_said_at)
      VALUES (p_member, p_number, stays + granted, now_ms + p_window_ms,
        CASE WHEN granted < p_want THEN p_least ELSE 0 END, now_ms - p_waited_ms, now_ms)
      ON CONFLICT (member_id) DO UPDATE
        SET number = excluded.number, amount = excluded.amount, until = excluded.until,
          lack = excluded.lack, lack_since = excluded.lack_since, lack_said_at = excluded.lack_said_at;
    UPDATE grant_pool p SET balance = pool.balance, earned_until = pool.earned_until;
    RETURN QUERY SELECT stays, granted, wait_ms, pool.requests, pool.per_ms, pool.factor, pool.wished_burst;
  END
  $function$;`

const SET_TERMS = `
  CREATE FUNCTION set_grant_terms(
    p_requests double precision, p_per_ms double precision, p_factor double precision, p_wished_burst double precision,
    p_rate_per_ms double precision, p_burst double precision, p_limit_amount double precision, p_limit_span_ms double precision
  ) RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE pool grant_pool;
  BEGIN
    -- What a cluster begins with: a full bucket, as one process does.
    INSERT INTO grant_pool VALUES (true, p_requests, p_per_ms, p_factor, p_wished_burst, p_rate_per_ms, p_burst,
      p_limit_amount, p_limit_span_ms, p_burst, cluster_now_ms()) ON CONFLICT (one) DO NOTHING;
    SELECT * INTO pool FROM grant_pool FOR UPDATE;
    pool := follow_grants(pool, cluster_now_ms());
    UPDATE grant_pool SET requests = p_requests, per_ms = p_per_ms, factor = p_factor, wished_burst = p_wished_burst,
      rate_per_ms = p_rate_per_ms, burst = p_burst, limit_amount = p_limit_amount, limit_span_ms = p_limit_span_ms,
      earned_until = pool.earned_until,
      balance = least(pool.balance, p_burst - coalesce((SELECT sum(h.amount) FROM grant_holding h), 0));
  END
  $function$;`

/** The common token bucket and the common price; see docs/decisions/0094-grants-and-price.md. */
export const GRANTS = [TABLES, SPEND, EARN, DRAW, SET_TERMS].join('\n')
