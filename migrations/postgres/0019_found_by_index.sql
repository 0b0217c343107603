-- What is deleted must be found without reading the rows of everybody, and so must whatever refers to it.
create index enrichment_lead_lead on enrichment_lead (lead_id);
create index watch_lead on watch (lead_id);
create index lead_mark_lead on lead_mark (lead_id);
create index owned_business_search on owned_business (search_id);
create index session_expiry on session (expires_at);
create index session_end on session (ended_at) where ended_at is not null;
