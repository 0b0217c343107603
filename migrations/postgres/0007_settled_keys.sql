-- A key is settled in the transaction that makes something under it: what was made, in the words of its noun. Such a key is
-- never given back before its day is over. The epoch grows with every claim; a late holder finds another one.
alter table idempotency add column made text;
alter table idempotency add column epoch bigint not null default 0;

-- The time this database has seen pass: it follows the servers' clocks, but only in small steps, so that one clock that is
-- hours ahead makes nobody forget. 0: no server has looked yet.
create table time_seen (
    id      bigint primary key check (id = 1),
    seen_at bigint not null
);
insert into time_seen (id, seen_at) values (1, 0);
