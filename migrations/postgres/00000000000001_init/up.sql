-- Accounts. What an account holds is kept beside it, and is always the sum of its transfers.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE,
  plan text NOT NULL CHECK (plan IN ('free', 'starter', 'pro_pack', 'unlimited')),
  restricted boolean NOT NULL,
  password_hash text,
  available bigint NOT NULL CHECK (available >= 0),
  reserved bigint NOT NULL CHECK (reserved >= 0),
  packs_purchased bigint NOT NULL CHECK (packs_purchased >= 0),
  total_generations bigint NOT NULL CHECK (total_generations >= 0),
  created_at timestamptz NOT NULL,
  CHECK (available + reserved <= 4294967295)
);

-- API keys, known by their hash only.
CREATE TABLE keys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  last_four text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX keys_of_user ON keys (user_id, created_at);

-- The ledger: each row takes from one account what it gives to another. Phase 0 opens (the key is a grant's or a run's),
-- phase 1 ends what a run reserved, so that it ends at most once. Rows are never changed or removed.
CREATE TABLE transfers (
  key uuid NOT NULL,
  phase smallint NOT NULL,
  opening smallint,
  kind text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  debit text NOT NULL,
  credit text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text,
  at timestamptz NOT NULL,
  PRIMARY KEY (key, phase),
  FOREIGN KEY (key, opening) REFERENCES transfers (key, phase),
  CONSTRAINT transfers_shape CHECK (
    (kind = 'grant' AND phase = 0 AND debit = 'issued' AND credit = 'available' AND reason IS NOT NULL)
    OR (kind = 'reserve' AND phase = 0 AND debit = 'available' AND credit = 'reserved')
    OR (kind = 'post' AND phase = 1 AND debit = 'reserved' AND credit = 'earned')
    OR (kind = 'void' AND phase = 1 AND debit = 'reserved' AND credit = 'available')),
  CONSTRAINT transfers_opening CHECK ((phase = 0 AND opening IS NULL) OR (phase = 1 AND opening IS NOT NULL AND opening = 0))
);

CREATE FUNCTION transfers_are_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'transfers are immutable' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER transfers_immutable BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION transfers_are_immutable();
CREATE TRIGGER transfers_kept BEFORE TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION transfers_are_immutable();

-- The generation history, one row a skill. The row with ordinal 0 also carries the run that makes them.
CREATE TABLE generations (
  id uuid PRIMARY KEY,
  run_id uuid NOT NULL,
  ordinal integer NOT NULL CHECK (ordinal >= 0),
  user_id uuid NOT NULL REFERENCES users (id),
  skill_id uuid NOT NULL,
  catalogue_id uuid,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  name text NOT NULL,
  source_type text NOT NULL CHECK (source_type IN ('youtube', 'url', 'file', 'text')),
  source text NOT NULL,
  filename text,
  word_count bigint NOT NULL,
  credits_charged bigint NOT NULL CHECK (credits_charged >= 0),
  credits_refunded bigint NOT NULL CHECK (credits_refunded IN (0, credits_charged)),
  failure_reason text,
  failure_message text,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  ordered text,
  key_id uuid,
  node uuid,
  lease_until timestamptz,
  attempts integer NOT NULL,
  replaces uuid,
  route text,
  idempotency_key text,
  digest text,
  balance_after bigint,
  index_filename text,
  index_content text,
  CHECK ((ordinal = 0) = (ordered IS NOT NULL)),
  CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL))
);
CREATE UNIQUE INDEX generations_of_run ON generations (run_id, ordinal);
CREATE INDEX generations_of_user ON generations (user_id, created_at);
CREATE INDEX generations_unfinished ON generations (lease_until) WHERE ordinal = 0 AND completed_at IS NULL;
CREATE UNIQUE INDEX generations_idempotency ON generations (user_id, route, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX generations_replacing ON generations (replaces) WHERE replaces IS NOT NULL AND completed_at IS NULL;

-- The libraries.
CREATE TABLE skills (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL,
  filename text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  search text NOT NULL,
  word_count bigint NOT NULL,
  is_public boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  content text NOT NULL,
  reference_files text NOT NULL,
  report text NOT NULL
);
CREATE INDEX skills_of_user ON skills (user_id, updated_at);

-- Uploaded sources; their bytes lie in the blob store under their digest.
CREATE TABLE sources (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  filename text NOT NULL,
  extension text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  digest text NOT NULL,
  status text NOT NULL CHECK (status IN ('uploaded', 'processing', 'ready', 'failed', 'expired')),
  created_at timestamptz NOT NULL
);
CREATE INDEX sources_of_user ON sources (user_id);
CREATE INDEX sources_by_digest ON sources (digest);
CREATE INDEX sources_waiting ON sources (created_at) WHERE status IN ('uploaded', 'failed');
