-- E-mails on their way: one for each search whose end somebody wants to hear of, written as the search ends.
create table outbox (
    search_id   text primary key references search (id),
    account_id  text not null references account (id),
    -- What is to be told, as JSON; whom, is asked when it is sent.
    ending      text not null,
    created_at  bigint not null,
    -- waiting, sent or given_up.
    state       text not null,
    -- How often it was tried, and when to try next.
    tries       bigint not null,
    try_at      bigint not null,
    lease_until bigint not null,
    lease_epoch bigint not null,
    settled_at  bigint
);
create index outbox_due on outbox (try_at) where state = 'waiting';
