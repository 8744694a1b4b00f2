-- A person reads what gave and took credits beside the runs; the runs themselves are found by `generations_of_user`, so that charges
-- pay for no further index.
CREATE INDEX transfers_beside_runs ON transfers (user_id, at) WHERE kind NOT IN ('reserve', 'post', 'void');
