-- What the servers of one database tell each other and their workers.

-- Where clients reach them: the base of links that a worker sends, which listens nowhere itself.
create table server_address (
    id            bigint primary key check (id = 1),
    base_url      text not null,
    -- Whether it is the setting base_url of a server, or merely where a server listens.
    is_configured boolean not null,
    noted_at      bigint not null
);

-- How much of its rate limit each caller has used up, on all servers together.
create table request_rate (
    -- "key ID" or "session ID".
    caller  text primary key,
    -- When the whole quota is available again.
    full_at bigint not null
);
create index request_rate_age on request_rate (full_at);
