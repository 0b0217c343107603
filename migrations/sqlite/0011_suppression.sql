-- Businesses that asked to be left alone, by a domain, an email or a phone: not read, delivered, exported or watched.
create table suppression (
    -- Kind and value: domain:ada.com, email:joe@ada.com or phone:+15125550100.
    entry    text primary key,
    -- Why it was added, in the operator's words.
    note     text,
    added_at bigint not null
) without rowid;
create index suppression_age on suppression (added_at);

-- Grows with every change of the list, so that each process finds out cheaply whether its copy is current.
create table suppression_revision (
    id       bigint primary key check (id = 1),
    revision bigint not null
);
insert into suppression_revision (id, revision) values (1, 0);
