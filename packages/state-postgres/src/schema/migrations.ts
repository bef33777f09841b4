/** The name of the schema, quoted. */
export function quoted(schema: string): string {
  return `"${schema}"`;
}

/**
 * The migrations of the schema, the first one first. A released migration never changes. A later one only adds tables, columns and
 * functions, so that processes of the earlier version go on during an update.
 */
export const migrations: readonly ((schema: string) => string)[] = [
  (schema) => [tables(schema), valueFunctions(schema), logFunctions(schema), sweep(schema)].join('\n'),
];

/** `clock` is the only source of time: the clock of the database. */
function tables(schema: string): string {
  const s = quoted(schema);
  return `DO $$ BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'the encoding of the database must be UTF8, not %', current_setting('server_encoding');
  END IF;
END $$;
CREATE FUNCTION ${s}.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';
CREATE FUNCTION ${s}.after(p_from timestamptz, p_ms float8) RETURNS timestamptz LANGUAGE sql STABLE AS
  'SELECT p_from + make_interval(secs => p_ms / 1000)';

CREATE TABLE ${s}.kv (
  key text COLLATE "C" PRIMARY KEY,
  version uuid NOT NULL,
  value bytea NOT NULL,
  expires_at timestamptz
);
CREATE INDEX kv_expires_at ON ${s}.kv (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE ${s}.log (
  key text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  first_position bigint NOT NULL DEFAULT 1,
  last_position bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  expires_at timestamptz
);
CREATE INDEX log_expires_at ON ${s}.log (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE ${s}.log_entry (
  log bigint NOT NULL,
  position bigint NOT NULL,
  appended_at timestamptz NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (log, position)
);

CREATE TABLE ${s}.lease (
  name text COLLATE "C" PRIMARY KEY,
  token bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX lease_expires_at ON ${s}.lease (expires_at);

CREATE UNLOGGED TABLE ${s}.message (
  id uuid PRIMARY KEY,
  published_at timestamptz NOT NULL,
  value bytea NOT NULL
);
CREATE INDEX message_published_at ON ${s}.message (published_at);
`;
}

/**
 * A lease and the writes it fences exclude each other by an advisory lock on its name: a row of the lease may be absent. Each
 * statement of a function sees what was committed before it, so the token is read after the lock is held.
 */
function valueFunctions(schema: string): string {
  const s = quoted(schema);
  return `CREATE FUNCTION ${s}.lease_lock(p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$ SELECT hashtextextended('${schema}/' || p_name, 0) $$;

CREATE FUNCTION ${s}.is_fenced(p_name text, p_token bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF p_name IS NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock_shared(${s}.lease_lock(p_name));
  RETURN EXISTS (SELECT FROM ${s}.lease WHERE name = p_name AND token > p_token);
END $$;

-- Returns the token; null if the name is held.
CREATE FUNCTION ${s}.lease_acquire(p_name text, p_ttl float8) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  t timestamptz;
  v_token bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(${s}.lease_lock(p_name));
  t := ${s}.clock();
  INSERT INTO ${s}.lease AS held (name, token, expires_at)
  VALUES (p_name, floor(extract(epoch FROM t) * 1000000)::bigint, ${s}.after(t, p_ttl))
  ON CONFLICT (name) DO UPDATE
    SET token = greatest(held.token + 1, excluded.token), expires_at = excluded.expires_at
    WHERE held.expires_at <= t
  RETURNING token INTO v_token;
  RETURN v_token;
END $$;

-- Returns the new version; null if the key does not have the expected one; an empty text if a later holder has the lease.
CREATE FUNCTION ${s}.kv_write(
  p_key text, p_value bytea, p_ttl float8, p_compare boolean, p_expected text, p_lease text, p_token bigint
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  t timestamptz;
  v_version uuid := gen_random_uuid();
  v_written uuid;
BEGIN
  IF ${s}.is_fenced(p_lease, p_token) THEN RETURN ''; END IF;
  t := ${s}.clock();
  IF p_expected IS NULL THEN
    INSERT INTO ${s}.kv AS kept (key, version, value, expires_at)
    VALUES (p_key, v_version, p_value, ${s}.after(t, p_ttl))
    ON CONFLICT (key) DO UPDATE
      SET version = excluded.version, value = excluded.value, expires_at = excluded.expires_at
      WHERE NOT p_compare OR kept.expires_at <= t
    RETURNING version INTO v_written;
  ELSE
    UPDATE ${s}.kv SET version = v_version, value = p_value, expires_at = ${s}.after(t, p_ttl)
    WHERE key = p_key AND version::text = p_expected AND (expires_at IS NULL OR expires_at > t)
    RETURNING version INTO v_written;
  END IF;
  RETURN v_written;
END $$;
`;
}

/** The lock on the row of a log puts its writers in one order. */
function logFunctions(schema: string): string {
  const s = quoted(schema);
  return `-- Drops the entries of a locked log past a retention, and returns its row as it is then.
CREATE FUNCTION ${s}.log_drop(p_log ${s}.log, p_entries bigint, p_bytes bigint, p_age float8)
RETURNS ${s}.log LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_oldest timestamptz := ${s}.after(${s}.clock(), -p_age);
  v_first bigint := p_log.first_position;
  e record;
BEGIN
  FOR e IN
    SELECT position, appended_at, octet_length(value) AS size FROM ${s}.log_entry
    WHERE log = p_log.id ORDER BY position
  LOOP
    EXIT WHEN e.position = p_log.last_position AND coalesce(p_entries, 1) >= 1;
    EXIT WHEN coalesce(p_log.last_position - e.position + 1 <= p_entries, true)
      AND coalesce(p_log.bytes <= p_bytes, true) AND coalesce(e.appended_at > v_oldest, true);
    p_log.first_position := e.position + 1;
    p_log.bytes := p_log.bytes - e.size;
  END LOOP;
  IF p_log.first_position > v_first THEN
    DELETE FROM ${s}.log_entry WHERE log = p_log.id AND position < p_log.first_position;
  END IF;
  RETURN p_log;
END $$;

-- Returns the position of the entry; null if a later holder has the lease.
CREATE FUNCTION ${s}.log_append(
  p_key text, p_value bytea, p_ttl float8, p_lease text, p_token bigint, p_entries bigint, p_bytes bigint, p_age float8
) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  t timestamptz;
  l ${s}.log;
BEGIN
  IF ${s}.is_fenced(p_lease, p_token) THEN RETURN NULL; END IF;
  LOOP
    SELECT * INTO l FROM ${s}.log WHERE key = p_key FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO ${s}.log (key) VALUES (p_key) ON CONFLICT DO NOTHING;
  END LOOP;
  t := ${s}.clock();
  IF l.expires_at <= t THEN
    DELETE FROM ${s}.log_entry WHERE log = l.id;
    l.first_position := 1;
    l.last_position := 0;
    l.bytes := 0;
  END IF;
  l.last_position := l.last_position + 1;
  l.bytes := l.bytes + octet_length(p_value);
  INSERT INTO ${s}.log_entry (log, position, appended_at, value) VALUES (l.id, l.last_position, t, p_value);
  IF coalesce(p_entries, p_bytes, p_age) IS NOT NULL THEN
    l := ${s}.log_drop(l, p_entries, p_bytes, p_age);
  END IF;
  UPDATE ${s}.log SET first_position = l.first_position, last_position = l.last_position, bytes = l.bytes,
    expires_at = ${s}.after(t, p_ttl)
  WHERE key = p_key;
  RETURN l.last_position;
END $$;

CREATE FUNCTION ${s}.log_trim(p_key text, p_entries bigint, p_bytes bigint, p_age float8)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  l ${s}.log;
BEGIN
  SELECT * INTO l FROM ${s}.log
  WHERE key = p_key AND (expires_at IS NULL OR expires_at > ${s}.clock()) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  l := ${s}.log_drop(l, p_entries, p_bytes, p_age);
  UPDATE ${s}.log SET first_position = l.first_position, bytes = l.bytes WHERE key = p_key;
END $$;

-- Returns true if the log existed.
CREATE FUNCTION ${s}.log_delete(p_key text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  l ${s}.log;
BEGIN
  DELETE FROM ${s}.log WHERE key = p_key RETURNING * INTO l;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM ${s}.log_entry WHERE log = l.id;
  RETURN l.expires_at IS NULL OR l.expires_at > ${s}.clock();
END $$;
`;
}

/** One process sweeps at a time, and skips the rows that others write. */
function sweep(schema: string): string {
  const s = quoted(schema);
  return `-- Deletes up to so many expired rows of each table. Returns the greatest number deleted from one table.
CREATE FUNCTION ${s}.sweep(p_rows int, p_lease_ms float8, p_message_ms float8) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  t timestamptz := ${s}.clock();
  v_count bigint;
  v_most bigint := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('${schema} sweep', 0)) THEN RETURN 0; END IF;
  DELETE FROM ${s}.kv WHERE key = ANY (ARRAY(
    SELECT key FROM ${s}.kv WHERE expires_at <= t LIMIT p_rows FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS v_most = ROW_COUNT;
  WITH gone AS (
    DELETE FROM ${s}.log WHERE key = ANY (ARRAY(
      SELECT key FROM ${s}.log WHERE expires_at <= t LIMIT greatest(p_rows / 10, 1) FOR UPDATE SKIP LOCKED))
    RETURNING id
  ), entries AS (
    DELETE FROM ${s}.log_entry USING gone WHERE log = gone.id
  ) SELECT count(*) * 10 INTO v_count FROM gone;
  v_most := greatest(v_most, v_count);
  DELETE FROM ${s}.lease WHERE name = ANY (ARRAY(
    SELECT name FROM ${s}.lease WHERE expires_at <= ${s}.after(t, -p_lease_ms)
    LIMIT p_rows FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS v_count = ROW_COUNT;
  v_most := greatest(v_most, v_count);
  DELETE FROM ${s}.message WHERE id = ANY (ARRAY(
    SELECT id FROM ${s}.message WHERE published_at <= ${s}.after(t, -p_message_ms)
    LIMIT p_rows FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN greatest(v_most, v_count);
END $$;
`;
}
