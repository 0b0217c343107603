-- AI: what each account may use and has used, its own key, and enrichments as jobs.

create table ai_account (
    account_id   text primary key references account (id),
    -- Uses left of the packs that were granted; good for any month and either feature.
    pack         bigint not null check (pack >= 0),
    -- The customer's own key, sealed with the server's key; and where and what it is for.
    own_key      text,
    own_base_url text,
    own_model    text
);

-- What was used of the plan's monthly allowance. Moves only together with the rows of ai_use.
create table ai_month (
    account_id text not null references account (id),
    feature    text not null,
    -- Such as 2026-11.
    month      text not null,
    used       bigint not null check (used >= 0),
    primary key (account_id, feature, month)
) without rowid;

-- One use of a feature for one subject: first held, then spent or gone. The key makes a second charge impossible.
create table ai_use (
    account_id text not null references account (id),
    feature    text not null,
    subject    text not null,
    -- Who holds it; a holder that is late finds another one here.
    holder     text not null,
    -- plan, pack or own: what pays for it, and of which month.
    source     text not null,
    month      text not null,
    -- When a hold is given up; null once it is spent.
    held_until bigint,
    -- What did the work.
    engine     text not null,
    created_at bigint not null,
    primary key (account_id, feature, subject)
) without rowid;
create index ai_use_held on ai_use (account_id, held_until) where held_until is not null;
create index ai_use_age on ai_use (feature, created_at);

-- An enrichment of a search is its own job: whoever holds its lease works on it, under the lease's epoch.
create table enrichment (
    id                  text primary key,
    account_id          text not null references account (id),
    search_id           text not null references search (id),
    -- The how-manieth of its search, from 1.
    run                 bigint not null,
    status              text not null,
    -- Why it ended before all leads were looked at.
    stopped_because     text,
    engine              text not null,
    rejected_ungrounded bigint not null,
    created_at          bigint not null,
    completed_at        bigint,
    lease_owner         text,
    lease_until         bigint not null,
    lease_epoch         bigint not null
);
create unique index enrichment_running on enrichment (search_id) where status = 'running';
create unique index enrichment_run on enrichment (search_id, run);
create index enrichment_due on enrichment (lease_until) where status = 'running';

create table enrichment_lead (
    enrichment_id text not null references enrichment (id),
    lead_id       text not null references lead (id),
    -- The lead's number within its search: the order of the work.
    number        bigint not null,
    -- enriched, unchanged, skipped or failed; null while it waits.
    status        text,
    reason        text,
    primary key (enrichment_id, number)
) without rowid;
create unique index enrichment_lead_once on enrichment_lead (enrichment_id, lead_id);
