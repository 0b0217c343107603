-- Searches, the leads they delivered, the text of the leads' websites, and the sandbox's age.

-- A search is its own job: whoever holds its lease works on it, and every write of a worker names the lease's epoch.
create table search (
    id                text primary key,
    account_id        text not null references account (id),
    -- What was asked for, as it was asked.
    industry          text not null,
    location          text not null,
    request           text not null,
    scope             text not null,
    requested         bigint not null check (requested > 0),
    notify            boolean not null,
    status            text not null,
    stopped_because   text,
    failure_reason    text,
    created_at        bigint not null,
    completed_at      bigint,
    -- How far it is: listings settled, leads delivered, what became of the rest.
    position          bigint not null,
    leads_found       bigint not null check (leads_found <= requested),
    emails_found      bigint not null,
    coverage          text not null,
    -- Grows with every change of the search or its leads.
    revision          bigint not null,
    lease_owner       text,
    lease_until       bigint not null,
    lease_epoch       bigint not null,
    -- Tries in a row that met trouble, and when to try next.
    troubles          bigint not null,
    try_at            bigint not null
);
create index search_history on search (account_id, id);
create index search_due on search (try_at) where status = 'running';

create table lead (
    id           text primary key,
    account_id   text not null references account (id),
    search_id    text not null references search (id),
    -- Its number within the search, from 1: also its event id.
    number       bigint not null,
    business_id  text not null,
    delivered_at bigint not null,
    score        bigint not null,
    has_ad_pixel boolean,
    ad_networks  text not null,
    has_analytics boolean,
    platform     text,
    -- The lead as it is shown, up to its score; and the score with its reasons.
    body         text not null,
    premium      text not null,
    -- What the score was made from, and the website's readable text.
    facts        text not null,
    site_text    text
);
create unique index lead_number on lead (search_id, number);
create unique index lead_business on lead (search_id, business_id);

-- Under which marks an account already has a business, and from which search.
create table owned_business (
    account_id text not null references account (id),
    mark       bigint not null,
    search_id  text not null references search (id),
    primary key (account_id, mark, search_id)
);

create table sandbox (
    id  bigint primary key check (id = 1),
    age bigint not null check (age >= 0)
);
insert into sandbox (id, age) values (1, 0);
