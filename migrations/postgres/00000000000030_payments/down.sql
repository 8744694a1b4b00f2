ALTER TABLE transfers DROP CONSTRAINT transfers_shape;
ALTER TABLE transfers ADD CONSTRAINT transfers_shape CHECK (
  (kind = 'grant' AND phase = 0 AND debit = 'issued' AND credit = 'available' AND reason IS NOT NULL)
  OR (kind = 'reserve' AND phase = 0 AND debit = 'available' AND credit = 'reserved')
  OR (kind = 'post' AND phase = 1 AND debit = 'reserved' AND credit = 'earned')
  OR (kind = 'void' AND phase = 1 AND debit = 'reserved' AND credit = 'available'));
ALTER TABLE transfers DROP CONSTRAINT transfers_opening;
ALTER TABLE transfers ADD CONSTRAINT transfers_opening
  CHECK ((phase = 0 AND opening IS NULL) OR (phase = 1 AND opening IS NOT NULL AND opening = 0));
ALTER TABLE transfers DROP COLUMN payment_id;
ALTER TABLE users DROP COLUMN plan_given;
ALTER TABLE users DROP COLUMN owed;
DROP TABLE payment_events;
DROP TABLE payments;
