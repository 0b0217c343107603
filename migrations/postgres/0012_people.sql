-- People who sign in: passwords, sessions, links that let somebody in, the letters that carry them, and what happened.
create table person (
    account_id         text primary key references account (id),
    -- Nothing until a password is set.
    password_hash      text,
    -- Where e-mails about searches go, when that is not the address of the account.
    notification_email text
);

create table session (
    id                     text primary key,
    account_id             text not null references account (id),
    -- SHA-256 of the token in hexadecimal; the token itself is stored nowhere.
    hash                   text not null unique,
    -- What it was opened with, such as "Firefox on Linux".
    device                 text not null,
    created_at             bigint not null,
    -- Accurate to the minute.
    last_seen_at           bigint not null,
    expires_at             bigint not null,
    -- Until when a password may be set without the present one, because a link has just proved who this is.
    may_set_password_until bigint not null,
    ended_at               bigint
);
create index session_account on session (account_id, created_at);

create table access_link (
    id            text primary key,
    -- sign_in, sign_up, reset or email.
    purpose       text not null,
    -- Nothing before the account of a sign-up exists.
    account_id    text references account (id),
    email         text not null,
    -- The password chosen at the sign-up.
    password_hash text,
    created_at    bigint not null,
    expires_at    bigint not null,
    used_at       bigint
);
create index access_link_account on access_link (account_id);
create index access_link_expiry on access_link (expires_at);

-- E-mails that carry a link.
create table letter (
    link_id     text primary key references access_link (id),
    created_at  bigint not null,
    -- waiting, sent or given_up.
    state       text not null,
    tries       bigint not null,
    try_at      bigint not null,
    lease_owner text,
    lease_until bigint not null,
    lease_epoch bigint not null,
    settled_at  bigint
);
create index letter_due on letter (try_at) where state = 'waiting';

-- Attempts to sign in that have not succeeded, for as long as they count.
create table sign_in_attempt (
    id         text primary key,
    -- SHA-256 of the address that was typed, which may be nobody's.
    email_hash text not null,
    -- Where it came from.
    client     text not null,
    created_at bigint not null
);
create index sign_in_attempt_email on sign_in_attempt (email_hash, created_at);
create index sign_in_attempt_client on sign_in_attempt (client, created_at);
create index sign_in_attempt_age on sign_in_attempt (created_at);

-- What happened to an account, for its owner.
create table activity (
    id         text primary key,
    account_id text not null references account (id),
    kind       text not null,
    detail     text,
    device     text,
    created_at bigint not null
);
create index activity_account on activity (account_id, id);
