-- Payments: each is a promise of credits or of a subscription, and is what its events say, whatever order they came in.
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  plan text NOT NULL CHECK (plan IN ('starter', 'pro_pack', 'unlimited')),
  provider text NOT NULL CHECK (provider IN ('sandbox', 'stripe')),
  credits bigint NOT NULL CHECK (credits >= 0),
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  session text UNIQUE,
  url text,
  expires_at timestamptz,
  amount bigint,
  currency text,
  livemode boolean,
  intent text,
  subscription text,
  standing text,
  paid_at timestamptz,
  counts boolean NOT NULL,
  given bigint NOT NULL CHECK (given >= 0),
  moves integer NOT NULL CHECK (moves >= 0),
  CHECK (given <= credits),
  CHECK (plan <> 'unlimited' OR (credits = 0 AND NOT counts)),
  CHECK (NOT counts OR paid_at IS NOT NULL)
);
-- One that can be paid is enough for an account and a plan: whoever asks again gets the same.
CREATE UNIQUE INDEX payments_open ON payments (user_id, plan) WHERE closed_at IS NULL;
CREATE INDEX payments_of_user ON payments (user_id, created_at);
CREATE INDEX payments_by_intent ON payments (intent) WHERE intent IS NOT NULL;
CREATE INDEX payments_by_subscription ON payments (subscription) WHERE subscription IS NOT NULL;

-- What the provider told of them, each event once. One whose payment is not known yet waits under its reference.
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  payment_id uuid REFERENCES payments (id),
  reference text,
  livemode boolean NOT NULL,
  at timestamptz NOT NULL,
  fact text NOT NULL,
  received_at timestamptz NOT NULL,
  CHECK (payment_id IS NOT NULL OR reference IS NOT NULL)
);
CREATE INDEX payment_events_of_payment ON payment_events (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX payment_events_waiting ON payment_events (reference) WHERE payment_id IS NULL;

-- What an account owes: credits that were taken back after they had been spent. It has nothing to spend while it owes.
ALTER TABLE users ADD COLUMN owed bigint NOT NULL DEFAULT 0 CHECK (owed >= 0);
ALTER TABLE users ADD CHECK (owed = 0 OR available = 0);
-- The plan it had before it bought anything; NULL until a payment changes its plan.
ALTER TABLE users ADD COLUMN plan_given text CHECK (plan_given IN ('free', 'starter', 'pro_pack', 'unlimited'));

-- The ledger learns three kinds of transfer: credits of a payment that went back are reclaimed as far as they are there and owed
-- beyond, and what comes later repays first. Phase 2 repays out of what its key brought.
ALTER TABLE transfers ADD COLUMN payment_id uuid REFERENCES payments (id);
ALTER TABLE transfers DROP CONSTRAINT transfers_shape;
ALTER TABLE transfers ADD CONSTRAINT transfers_shape CHECK (
  (kind = 'grant' AND phase = 0 AND debit = 'issued' AND credit = 'available' AND reason IS NOT NULL)
  OR (kind = 'reserve' AND phase = 0 AND debit = 'available' AND credit = 'reserved')
  OR (kind = 'post' AND phase = 1 AND debit = 'reserved' AND credit = 'earned')
  OR (kind = 'void' AND phase = 1 AND debit = 'reserved' AND credit = 'available')
  OR (kind = 'reclaim' AND phase = 0 AND debit = 'available' AND credit = 'issued' AND payment_id IS NOT NULL)
  OR (kind = 'owe' AND phase = 0 AND debit = 'owed' AND credit = 'issued' AND payment_id IS NOT NULL)
  OR (kind = 'repay' AND phase = 2 AND debit = 'available' AND credit = 'owed'));
ALTER TABLE transfers DROP CONSTRAINT transfers_opening;
ALTER TABLE transfers ADD CONSTRAINT transfers_opening
  CHECK ((phase = 0 AND opening IS NULL) OR (phase <> 0 AND opening IS NOT NULL AND opening = 0));
CREATE INDEX transfers_of_payment ON transfers (payment_id) WHERE payment_id IS NOT NULL;
