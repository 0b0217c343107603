-- What map providers answered, what was asked of them, and when they may be asked again.
create table provider_answer (
    -- A hash of the request without its secrets.
    request    text primary key,
    provider   text not null,
    status     bigint not null,
    body       text not null,
    expires_at bigint not null
);
create index provider_answer_age on provider_answer (expires_at);

-- Calls by month, such as 2026-11, and by search: what an inquiry is made for.
create table provider_calls (
    provider text not null,
    kind     text not null,
    -- A month, or the id of an inquiry.
    span     text not null,
    calls    bigint not null,
    primary key (span, provider, kind)
);

-- When a provider may be asked next, by all processes together.
create table provider_turn (
    provider text primary key,
    next_at  bigint not null
);

-- Requests under way: each holds a slot until it ends, or until its time is up.
create table provider_slot (
    provider   text not null,
    slot       bigint not null,
    holder     text not null,
    held_until bigint not null,
    primary key (provider, slot)
);

-- Where street addresses lie, or that nobody knew.
create table located_address (
    -- A hash of the address and of the geocoders that were asked.
    query      text primary key,
    -- JSON; null when it was not found.
    door       text,
    expires_at bigint not null
);
create index located_address_age on located_address (expires_at);
