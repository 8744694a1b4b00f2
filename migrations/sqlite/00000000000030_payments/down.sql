CREATE TABLE transfers_narrower (
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
  FOREIGN KEY (key, opening) REFERENCES transfers_narrower (key, phase),
  CONSTRAINT transfers_shape CHECK (
    (kind = 'grant' AND phase = 0 AND debit = 'issued' AND credit = 'available' AND reason IS NOT NULL)
    OR (kind = 'reserve' AND phase = 0 AND debit = 'available' AND credit = 'reserved')
    OR (kind = 'post' AND phase = 1 AND debit = 'reserved' AND credit = 'earned')
    OR (kind = 'void' AND phase = 1 AND debit = 'reserved' AND credit = 'available')),
  CONSTRAINT transfers_opening CHECK ((phase = 0 AND opening IS NULL) OR (phase = 1 AND opening IS NOT NULL AND opening = 0))
) STRICT, WITHOUT ROWID;
INSERT INTO transfers_narrower SELECT key, phase, opening, kind, user_id, debit, credit, amount, reason, at FROM transfers
  ORDER BY key, phase;
DROP TABLE transfers;
ALTER TABLE transfers_narrower RENAME TO transfers;
CREATE TRIGGER transfers_unchanged BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are immutable'); END;
CREATE TRIGGER transfers_kept BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are immutable'); END;
ALTER TABLE users DROP COLUMN plan_given;
ALTER TABLE users DROP COLUMN owed;
DROP TABLE payment_events;
DROP TABLE payments;
