-- Adds to a window what a node admitted and this server may not know: it was away, or has lost what it held.
-- KEYS[1] the window; ARGV: its length, then the instants of the admissions.
local key = KEYS[1]
local log, known = redis.call('LRANGE', key, 0, -1), {}
for _, at in ipairs(log) do known[at] = true end
for place = 2, #ARGV do
  if not known[ARGV[place]] then log[#log + 1] = ARGV[place] end
end
table.sort(log, function(one, other) return one + 0 < other + 0 end)
redis.call('DEL', key)
for _, at in ipairs(log) do redis.call('RPUSH', key, at) end
redis.call('PEXPIRE', key, string.format('%.0f', ARGV[1] / 1000))
return #log
