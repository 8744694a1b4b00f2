-- Those who hold a place: a sorted set of who, each with the microsecond of this server's clock at which it was held last.
-- KEYS[1] the set; ARGV: for how long a place is held without a word, most places, who. Answers whether it is held.
local key, kept = KEYS[1], tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function digits(micros) return string.format('%.0f', micros) end
redis.call('ZREMRANGEBYSCORE', key, '-inf', digits(now - kept))
-- The clock was set back: what lies ahead was held until now.
redis.call('ZREMRANGEBYSCORE', key, digits(now + kept), '+inf')
if redis.call('ZCARD', key) >= tonumber(ARGV[2]) and not redis.call('ZSCORE', key, ARGV[3]) then return 0 end
redis.call('ZADD', key, digits(now), ARGV[3])
redis.call('PEXPIRE', key, digits(kept / 1000))
return 1
