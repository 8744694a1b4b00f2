DROP INDEX transfers_beside_runs;
