-- The last hold: held_since and held_because stay when it ends. last_hold_left is how many posts were not looked for then: 0 unless it
-- was released by hand. A node of an earlier version that ends a hold leaves them as they are.
ALTER TABLE instance ADD COLUMN last_held_at BIGINT;
ALTER TABLE instance ADD COLUMN last_hold_left BIGINT;
