-- Payments: each is a promise of credits or of a subscription, and is what its events say, whatever order they came in.
CREATE TABLE payments (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  plan TEXT NOT NULL CHECK (plan IN ('starter', 'pro_pack', 'unlimited')),
  provider TEXT NOT NULL CHECK (provider IN ('sandbox', 'stripe')),
  credits INTEGER NOT NULL CHECK (credits >= 0),
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  session TEXT UNIQUE,
  url TEXT,
  expires_at INTEGER,
  amount INTEGER,
  currency TEXT,
  livemode INTEGER CHECK (livemode IN (0, 1)),
  intent TEXT,
  subscription TEXT,
  standing TEXT,
  paid_at INTEGER,
  counts INTEGER NOT NULL CHECK (counts IN (0, 1)),
  given INTEGER NOT NULL CHECK (given >= 0),
  moves INTEGER NOT NULL CHECK (moves >= 0),
  CHECK (given <= credits),
  CHECK (plan <> 'unlimited' OR (credits = 0 AND counts = 0)),
  CHECK (counts = 0 OR paid_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
-- One that can be paid is enough for an account and a plan: whoever asks again gets the same.
CREATE UNIQUE INDEX payments_open ON payments (user_id, plan) WHERE closed_at IS NULL;
CREATE INDEX payments_of_user ON payments (user_id, created_at);
CREATE INDEX payments_by_intent ON payments (intent) WHERE intent IS NOT NULL;
CREATE INDEX payments_by_subscription ON payments (subscription) WHERE subscription IS NOT NULL;

-- What the provider told of them, each event once. One whose payment is not known yet waits under its reference.
CREATE TABLE payment_events (
  id TEXT PRIMARY KEY NOT NULL,
  payment_id BLOB REFERENCES payments (id),
  reference TEXT,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  at INTEGER NOT NULL,
  fact TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  CHECK (payment_id IS NOT NULL OR reference IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_events_of_payment ON payment_events (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX payment_events_waiting ON payment_events (reference) WHERE payment_id IS NULL;

-- What an account owes: credits that were taken back after they had been spent. It has nothing to spend while it owes.
ALTER TABLE users ADD COLUMN owed INTEGER NOT NULL DEFAULT 0 CHECK (owed >= 0) CHECK (owed = 0 OR available = 0);
-- The plan it had before it bought anything; NULL until a payment changes its plan.
ALTER TABLE users ADD COLUMN plan_given TEXT CHECK (plan_given IN ('free', 'starter', 'pro_pack', 'unlimited'));

-- The ledger learns three kinds of transfer: credits of a payment that went back are reclaimed as far as they are there and owed
-- beyond, and what comes later repays first. Phase 2 repays out of what its key brought.
CREATE TABLE transfers_wider (
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
  payment_id BLOB REFERENCES payments (id),
  PRIMARY KEY (key, phase),
  FOREIGN KEY (key, opening) REFERENCES transfers_wider (key, phase),
  CONSTRAINT transfers_shape CHECK (
    (kind = 'grant' AND phase = 0 AND debit = 'issued' AND credit = 'available' AND reason IS NOT NULL)
    OR (kind = 'reserve' AND phase = 0 AND debit = 'available' AND credit = 'reserved')
    OR (kind = 'post' AND phase = 1 AND debit = 'reserved' AND credit = 'earned')
    OR (kind = 'void' AND phase = 1 AND debit = 'reserved' AND credit = 'available')
    OR (kind = 'reclaim' AND phase = 0 AND debit = 'available' AND credit = 'issued' AND payment_id IS NOT NULL)
    OR (kind = 'owe' AND phase = 0 AND debit = 'owed' AND credit = 'issued' AND payment_id IS NOT NULL)
    OR (kind = 'repay' AND phase = 2 AND debit = 'available' AND credit = 'owed')),
  CONSTRAINT transfers_opening CHECK ((phase = 0 AND opening IS NULL) OR (phase <> 0 AND opening IS NOT NULL AND opening = 0))
) STRICT, WITHOUT ROWID;
INSERT INTO transfers_wider (key, phase, opening, kind, user_id, debit, credit, amount, reason, at)
  SELECT key, phase, opening, kind, user_id, debit, credit, amount, reason, at FROM transfers ORDER BY key, phase;
DROP TABLE transfers;
ALTER TABLE transfers_wider RENAME TO transfers;
CREATE INDEX transfers_of_payment ON transfers (payment_id) WHERE payment_id IS NOT NULL;

CREATE TRIGGER transfers_unchanged BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are immutable'); END;
CREATE TRIGGER transfers_kept BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are immutable'); END;
