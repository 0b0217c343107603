-- Who chose where an account's own AI key leads: 'operator', who is trusted with any address, or 'customer', whose address
-- must be one of the public internet. Nothing: the operator, before there was a choice.
alter table ai_account add column own_set_by text;
