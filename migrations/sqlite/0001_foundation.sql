-- Accounts, their keys, the credit ledger and remembered answers.
-- Ids are UUIDv7 as text; times are microseconds since 1970 in UTC.

create table account (
    id           text primary key,
    email        text not null unique,
    tier         text not null,
    signals_plus boolean not null,
    radar        boolean not null,
    -- The balance. Always the sum of the account's ledger lines.
    credits      bigint not null check (credits >= 0),
    -- How many ledger lines there are; the number of the last one.
    ledger_lines bigint not null,
    refill_at    bigint not null,
    created_at   bigint not null
);
create index account_refill on account (refill_at);

create table api_key (
    id           text primary key,
    account_id   text not null references account (id),
    name         text not null,
    prefix       text not null,
    -- SHA-256 of the key in hexadecimal; the key itself is stored nowhere.
    hash         text not null unique,
    created_at   bigint not null,
    last_used_at bigint,
    revoked_at   bigint
);
create index api_key_account on api_key (account_id, created_at);

create table credit_entry (
    account_id text not null references account (id),
    line       bigint not null,
    amount     bigint not null check (amount <> 0),
    -- What the account had after this line.
    balance    bigint not null check (balance >= 0),
    reason     text not null,
    -- What was paid for, or which grant this is; never the same one twice.
    subject    text,
    note       text,
    created_at bigint not null,
    primary key (account_id, line)
) without rowid;
create unique index credit_entry_subject on credit_entry (account_id, reason, subject) where subject is not null;

create trigger credit_entry_keep_update before update on credit_entry
begin select raise(abort, 'the credit ledger is append-only'); end;
create trigger credit_entry_keep_delete before delete on credit_entry
begin select raise(abort, 'the credit ledger is append-only'); end;

create table idempotency (
    account_id   text not null references account (id),
    key          text not null,
    -- SHA-256 of method, path and body: the same key with another request is refused.
    fingerprint  text not null,
    -- The id that whatever this request makes will have, so that a second try makes the same thing.
    subject      text not null,
    -- While the first request is under way: until when it is believed to be alive.
    held_until   bigint,
    status       bigint,
    content_type text,
    body         text,
    created_at   bigint not null,
    primary key (account_id, key)
) without rowid;
create index idempotency_age on idempotency (created_at);
