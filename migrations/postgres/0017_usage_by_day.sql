-- What an account used on each day (UTC), so that nobody has to go through its ledger for it.
create table usage_day (
    account_id text not null references account (id),
    -- Days since 1970.
    day        bigint not null,
    credits    bigint not null,
    leads      bigint not null,
    primary key (account_id, day)
);
insert into usage_day (account_id, day, credits, leads)
select account_id, created_at / 86400000000, -sum(amount), count(*) filter (where reason = 'lead')
from credit_entry where amount < 0 group by 1, 2;

-- Whoever writes the ledger, the sums go with it: once for all lines of a statement.
create function credit_entry_used() returns trigger language plpgsql as $$
begin
    insert into usage_day (account_id, day, credits, leads)
    select account_id, created_at / 86400000000, -sum(amount), count(*) filter (where reason = 'lead')
    from added where amount < 0 group by 1, 2
    on conflict (account_id, day) do update
    set credits = usage_day.credits + excluded.credits, leads = usage_day.leads + excluded.leads;
    return null;
end $$;
create trigger credit_entry_used after insert on credit_entry referencing new table as added
for each statement execute function credit_entry_used();
