-- What people note about leads, the views they keep, which accounts they deleted, and the words under which leads are found.
create table lead_mark (
    account_id text not null references account (id),
    lead_id    text not null references lead (id),
    starred    boolean not null,
    note       text,
    -- A JSON list of texts, sorted.
    tags       text not null,
    updated_at bigint not null,
    primary key (account_id, lead_id)
);

create table saved_view (
    account_id text not null references account (id),
    name       text not null,
    -- A JSON object that only the web app understands.
    settings   text not null,
    updated_at bigint not null,
    primary key (account_id, name)
);

-- Accounts whose owners deleted them. Their ledgers stay, under no name; they are not filled up any more.
create table deleted_account (
    account_id text primary key references account (id)
);

-- Each word of each lead. A word begins with what was typed: a range of the key.
create table lead_word (
    account_id text not null,
    word       text not null,
    lead_id    text not null,
    primary key (account_id, word, lead_id)
) without rowid;

-- How far the leads of earlier versions have their words; gone once they all do.
create table lead_word_backlog (
    id         bigint primary key check (id = 1),
    after_lead text not null
);
insert into lead_word_backlog (id, after_lead) select 1, '' where exists (select 1 from lead);
