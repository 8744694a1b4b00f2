-- Accounts. What an account holds is kept beside it, and is always the sum of its transfers.
CREATE TABLE users (
  id BLOB PRIMARY KEY NOT NULL,
  email TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'starter', 'pro_pack', 'unlimited')),
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  password_hash TEXT,
  available INTEGER NOT NULL CHECK (available >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  packs_purchased INTEGER NOT NULL CHECK (packs_purchased >= 0),
  total_generations INTEGER NOT NULL CHECK (total_generations >= 0),
  created_at INTEGER NOT NULL,
  CHECK (available + reserved <= 4294967295)
) STRICT, WITHOUT ROWID;

-- API keys, known by their hash only.
CREATE TABLE keys (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX keys_of_user ON keys (user_id, created_at);

-- The ledger: each row takes from one account what it gives to another. Phase 0 opens (the key is a grant's or a run's),
-- phase 1 ends what a run reserved, so that it ends at most once. Rows are never changed or removed.
CREATE TABLE transfers (
  key BLOB NOT NULL,
  phase INTEGER NOT NULL,
  opening INTEGER,
  kind TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  reason TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (key, phase),
  FOREIGN KEY (key, opening) REFERENCES transfers (key, phase),
  CONSTRAINT transfers_shape CHECK (
    (kind = 'grant' AND phase = 0 AND debit = 'issued' AND credit = 'available' AND reason IS NOT NULL)
    OR (kind = 'reserve' AND phase = 0 AND debit = 'available' AND credit = 'reserved')
    OR (kind = 'post' AND phase = 1 AND debit = 'reserved' AND credit = 'earned')
    OR (kind = 'void' AND phase = 1 AND debit = 'reserved' AND credit = 'available')),
  CONSTRAINT transfers_opening CHECK ((phase = 0 AND opening IS NULL) OR (phase = 1 AND opening IS NOT NULL AND opening = 0))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER transfers_unchanged BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are immutable'); END;
CREATE TRIGGER transfers_kept BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are immutable'); END;

-- The generation history, one row a skill. The row with ordinal 0 also carries the run that makes them.
CREATE TABLE generations (
  id BLOB PRIMARY KEY NOT NULL,
  run_id BLOB NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  user_id BLOB NOT NULL REFERENCES users (id),
  skill_id BLOB NOT NULL,
  catalogue_id BLOB,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  name TEXT NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('youtube', 'url', 'file', 'text')),
  source TEXT NOT NULL,
  filename TEXT,
  word_count INTEGER NOT NULL,
  credits_charged INTEGER NOT NULL CHECK (credits_charged >= 0),
  credits_refunded INTEGER NOT NULL CHECK (credits_refunded IN (0, credits_charged)),
  failure_reason TEXT,
  failure_message TEXT,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  ordered TEXT,
  key_id BLOB,
  node BLOB,
  lease_until INTEGER,
  attempts INTEGER NOT NULL,
  replaces BLOB,
  route TEXT,
  idempotency_key TEXT,
  digest TEXT,
  balance_after INTEGER,
  index_filename TEXT,
  index_content TEXT,
  CHECK ((ordinal = 0) = (ordered IS NOT NULL)),
  CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX generations_of_run ON generations (run_id, ordinal);
CREATE INDEX generations_of_user ON generations (user_id, created_at);
CREATE INDEX generations_unfinished ON generations (lease_until) WHERE ordinal = 0 AND completed_at IS NULL;
CREATE UNIQUE INDEX generations_idempotency ON generations (user_id, route, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX generations_replacing ON generations (replaces) WHERE replaces IS NOT NULL AND completed_at IS NULL;

-- The libraries.
CREATE TABLE skills (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  filename TEXT NOT NULL,
  description TEXT NOT NULL,
  category TEXT NOT NULL,
  search TEXT NOT NULL,
  word_count INTEGER NOT NULL,
  is_public INTEGER NOT NULL CHECK (is_public IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  content TEXT NOT NULL,
  reference_files TEXT NOT NULL,
  report TEXT NOT NULL
) STRICT;
CREATE INDEX skills_of_user ON skills (user_id, updated_at);

-- Uploaded sources; their bytes lie in the blob store under their digest.
CREATE TABLE sources (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  filename TEXT NOT NULL,
  extension TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  digest TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('uploaded', 'processing', 'ready', 'failed', 'expired')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sources_of_user ON sources (user_id);
CREATE INDEX sources_by_digest ON sources (digest);
CREATE INDEX sources_waiting ON sources (created_at) WHERE status IN ('uploaded', 'failed');
