-- Leads with listing content that may be kept only for a time. A row goes when that content does.
create table lead_retention (
    lead_id      text primary key references lead (id) on delete cascade,
    -- Whose content it is.
    source       text not null,
    delivered_at bigint not null,
    -- JSON: what the business's own website says, and the lead does not show as long as it has the listing's values.
    site_says    text not null
);
create index lead_retention_age on lead_retention (source, delivered_at);
-- Leads of earlier versions. One that only mentions the name loses nothing: it has no value of that source.
insert into lead_retention (lead_id, source, delivered_at, site_says)
    select id, 'google', delivered_at, '{}' from lead where business_id like 'google:%' or body like '%Google Maps%';
