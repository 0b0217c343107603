-- What an account used on each day (UTC), so that nobody has to go through its ledger for it.
create table usage_day (
    account_id text not null references account (id),
    -- Days since 1970.
    day        bigint not null,
    credits    bigint not null,
    leads      bigint not null,
    primary key (account_id, day)
) without rowid;
insert into usage_day (account_id, day, credits, leads)
select account_id, created_at / 86400000000, -sum(amount), sum(reason = 'lead') from credit_entry where amount < 0 group by 1, 2;

-- Whoever writes the ledger, the sums go with it.
create trigger credit_entry_used after insert on credit_entry when new.amount < 0
begin
    insert into usage_day (account_id, day, credits, leads)
    values (new.account_id, new.created_at / 86400000000, -new.amount, new.reason = 'lead')
    on conflict (account_id, day) do update set credits = credits + excluded.credits, leads = leads + excluded.leads;
end;
