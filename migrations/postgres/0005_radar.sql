-- Radar: what is watched, what each check saw, and what there was to tell.

-- A watch is its own job, as a search is: whoever holds its lease checks it, and every write of a check names the
-- lease's epoch.
create table watch (
    id              text primary key,
    account_id      text not null references account (id),
    lead_id         text not null references lead (id),
    business_id     text not null,
    -- What reading and scoring its website takes: name, address, industry, rating.
    business        text not null,
    -- What its website shows, as far as a complete read has settled it; nothing in it is unknown, not absent.
    baseline        text not null,
    -- What one read did not find any more, waiting for a second read to say the same.
    doubts          text not null,
    score           bigint not null,
    -- The score that moves are measured from, and the weights it was made with.
    score_told      bigint,
    scored_with     bigint not null,
    site_status     text not null,
    created_at      bigint not null,
    last_checked_at bigint,
    next_check_at   bigint not null,
    -- How often it has been checked; the number of the last check.
    checks          bigint not null,
    lease_owner     text,
    lease_until     bigint not null,
    lease_epoch     bigint not null
);
create unique index watch_business on watch (account_id, business_id);
create index watch_due on watch (next_check_at);
create index watch_owner on watch (lease_owner) where lease_owner is not null;

create table watch_check (
    watch_id    text not null references watch (id) on delete cascade,
    number      bigint not null,
    checked_at  bigint not null,
    site_status text not null,
    complete    boolean not null,
    score       bigint not null,
    changes     text not null,
    primary key (watch_id, number)
);

-- Alerts outlive their watch: the feed loses nothing.
create table radar_alert (
    id            text primary key,
    account_id    text not null references account (id),
    watch_id      text not null,
    lead_id       text not null,
    business_name text not null,
    changes       text not null,
    score         bigint not null,
    created_at    bigint not null
);
create unique index radar_alert_feed on radar_alert (account_id, created_at);

-- One row an account: locked while its alerts are given their time and its watches are counted.
create table radar_account (
    account_id    text primary key references account (id),
    last_alert_at bigint not null
);

-- Whose turn it is to take watches: locked for that moment, so that workers take different ones.
create table radar_turn (
    id    bigint primary key check (id = 1),
    turns bigint not null
);
insert into radar_turn (id, turns) values (1, 0);
