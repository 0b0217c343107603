//! All SQL about leads.

use std::collections::HashSet;

use super::json::{DocumentColumns, KeptSite, LeadColumns, LeadDocument, LeadJson, SiteColumns};
use super::pack::PackedLead;
use super::place::{Belongs, LeadPlace};
use super::query::{LeadFilter, LeadOrder};
use super::stored::StoredLead;
use super::upgrade::{UpgradeError, VERSION};
use super::words::{self, WordedLead};
use super::{Lead, retention};
use crate::clock::Moment;
use crate::db::{Db, DbError, On, Tx, insert_rows, sql};
use crate::ids::{AccountId, LeadId, SearchId};
use crate::listing::DedupKey;
use crate::owned::Owned;
use crate::signals::{Score, Site};

/// A lead of a list. Of a long list every column counts, so it has no others.
#[derive(Debug, from_row::FromRow)]
pub(super) struct ListedLead {
    /// Position of its listing in the order of its source: the order in which leads are listed.
    pub(super) rank: i64,
    #[row(flatten, try_from = "DocumentColumns")]
    pub(super) document: LeadDocument,
}

/// Inserts leads, numbered upwards from `number`.
pub(crate) async fn insert(tx: &mut Tx, to: Belongs, number: i64, leads: Vec<PackedLead>) -> Result<(), DbError> {
    let (mut rows, mut words, mut expiring) = (Vec::with_capacity(leads.len()), Vec::new(), Vec::new());
    for (number, mut lead) in (number..).zip(leads) {
        lead.row.push(number.into());
        rows.push(lead.row);
        words.extend(lead.words.into_iter().map(|word| (number, word)));
        expiring.extend(lead.retention);
    }
    let head = "insert into lead (id, account_id, search_id, rank, business_id, delivered_at, score, has_ad_pixel,
        ad_networks, has_analytics, platform, body, premium, facts, document, site, version, number) values";
    insert_rows(head, rows, "").run(tx).await?;
    words::store::insert(tx, to, words.into_iter()).await?;
    retention::store::insert(tx, expiring).await
}

/// Records that these businesses were delivered to the account.
pub(crate) async fn own(tx: &mut Tx, by: Belongs, dedup_keys: &[DedupKey]) -> Result<(), DbError> {
    let rows = dedup_keys.iter().map(|dedup_key| vec![(*dedup_key).into()]).collect();
    sql("insert into owned_business (account, mark, search)
         select a.number, o.column1, s.number from account_number a, search_number s, (values")
    .bind(by.account)
    .bind(by.search)
    .values(rows, ") as o where a.account_id = $1 and s.search_id = $2 on conflict do nothing")
    .run(tx)
    .await
    .map(|_| ())
}

/// Those of these dedup keys that other searches delivered to the account.
pub(crate) async fn owned(db: &Db, by: Belongs, dedup_keys: &[DedupKey]) -> Result<HashSet<DedupKey>, DbError> {
    if dedup_keys.is_empty() {
        return Ok(HashSet::new());
    }
    let rows = dedup_keys.iter().map(|dedup_key| vec![(*dedup_key).into()]).collect();
    // One look into the index for each: PostgreSQL would rather read everything that an account owns, which may be millions.
    let found: Vec<(DedupKey,)> = sql("select column1 from (values")
        .bind(by.account)
        .bind(by.search)
        .values(
            rows,
            ") as asked where (select 1 from owned_business
                 where account = (select number from account_number where account_id = $1) and mark = column1
                 and search <> (select number from search_number where search_id = $2) limit 1) is not null",
        )
        .all(db)
        .await?;
    Ok(found.into_iter().map(|(dedup_key,)| dedup_key).collect())
}

/// One lead of the account.
pub async fn find(db: &Db, account: AccountId, lead: LeadId) -> Result<Option<Owned<StoredLead>>, DbError> {
    let found = sql("select id, number, document, body, premium, version from lead where id = $1 and account_id = $2");
    Ok(found.bind(lead).bind(account).optional(db).await?.map(|lead| Owned::new(account, lead)))
}

/// A stored lead with what enrichment, intros and Radar need beside it.
#[derive(Clone, Debug, from_row::FromRow)]
pub(crate) struct WholeLead {
    #[row(try_from = "String", rename = "search_id")]
    pub(crate) search: SearchId,
    #[row(flatten, try_from = "LeadColumns")]
    pub(crate) lead: LeadJson,
    #[row(flatten, try_from = "SiteColumns")]
    pub(crate) site: KeptSite,
    pub(crate) score: i64,
}

/// One lead of the account, with its site text and facts. Nothing is left of a blanked one.
pub(crate) async fn whole(db: &Db, account: AccountId, lead: LeadId) -> Result<Option<WholeLead>, DbError> {
    sql("select search_id, document, body, version, site, facts, site_text, score from lead
         where id = $1 and account_id = $2 and business_id <> 'suppressed-' || id")
    .bind(lead)
    .bind(account)
    .optional(db)
    .await
}

#[derive(from_row::FromRow)]
struct Kept {
    #[row(flatten, try_from = "SiteColumns")]
    site: KeptSite,
}

/// The stored text of a lead's website, with what customers wrote.
pub async fn site_text(db: &Db, lead: &Owned<StoredLead>) -> Result<Option<String>, DbError> {
    let kept: Option<Kept> =
        sql("select site, facts, site_text from lead where id = $1").bind(lead.id).optional(db).await?;
    Ok(kept.and_then(|kept| kept.site.text))
}

/// The same, with the row locked until the transaction ends. The caller has checked who owns it.
pub(crate) async fn lock(tx: &mut Tx, lead: LeadId) -> Result<Option<WholeLead>, DbError> {
    sql("update lead set score = score where id = $1 and business_id <> 'suppressed-' || id
         returning search_id, document, body, version, site, facts, site_text, score")
    .bind(lead)
    .optional(tx)
    .await
}

/// Where a stored lead belongs, and its words.
#[derive(Debug, from_row::FromRow)]
struct Placed {
    #[row(flatten)]
    place: LeadPlace,
    #[row(flatten)]
    words: WordedLead,
}

/// Replaces a stored lead and its score. Words that it no longer has do not find it any more.
pub(crate) async fn update(tx: &mut Tx, lead: &Lead, score: &Score) -> Result<(), DbError> {
    let stored: Option<Placed> = sql("select id, account_id, search_id, number, document, body, premium, version
         from lead where id = $1")
    .bind(lead.lead_id)
    .optional(&mut *tx)
    .await?;
    let Some(stored) = stored else { return Ok(()) };
    sql("update lead set document = $2, body = '', premium = '', score = $3, version = $4 where id = $1")
        .bind(lead.lead_id)
        .bind(LeadDocument::packed_of(lead, score))
        .bind(score.points)
        .bind(VERSION)
        .run(&mut *tx)
        .await?;
    words::change(tx, stored.place.belongs(), &stored.words, lead).await
}

/// Replaces a stored lead, its score and what is kept of its website.
pub(crate) async fn replace(
    tx: &mut Tx,
    account: AccountId,
    (lead, score): (&Lead, &Score),
    site: &KeptSite,
) -> Result<(), DbError> {
    sql("update lead set site = $3, facts = '', site_text = null where id = $1 and account_id = $2")
        .bind(lead.lead_id)
        .bind(account)
        .bind(site.packed())
        .run(&mut *tx)
        .await?;
    update(tx, lead, score).await
}

/// What is kept of the website of a lead of a search. Not unpacked yet: a damaged one must not keep others from being deleted.
#[derive(Debug, from_row::FromRow)]
struct KeptOf {
    id: String,
    number: i64,
    #[row(flatten)]
    site: SiteColumns,
}

/// Deletes the text of the websites of some leads of a search, the first behind a number. Says the number of the last of them and how
/// many had a text; `None` when there are no more.
pub(crate) async fn forget_site_texts(
    tx: &mut Tx,
    search: SearchId,
    after: i64,
    limit: i64,
) -> Result<Option<(i64, usize)>, DbError> {
    let kept: Vec<KeptOf> = sql("update lead set score = score
         where id in (select id from lead where search_id = $1 and number > $2 order by number limit $3)
         returning id, number, site, facts, site_text")
    .bind(search)
    .bind(after)
    .bind(limit)
    .all(&mut *tx)
    .await?;
    let mut deleted = 0;
    for lead in &kept {
        let site = KeptSite::try_from(lead.site.clone());
        // What cannot be read may hold a text: nothing is kept of it.
        let site = site.unwrap_or_else(|_| KeptSite { facts: "{}".to_owned(), text: Some(String::new()) });
        if site.text.is_some() {
            let site = KeptSite { text: None, ..site };
            let update = sql("update lead set site = $2, facts = '', site_text = null where id = $1");
            update.bind(lead.id.as_str()).bind(site.packed()).run(&mut *tx).await?;
            deleted += 1;
        }
    }
    Ok(kept.iter().map(|lead| lead.number).max().map(|last| (last, deleted)))
}

/// A stored lead that may be one of a suppressed business, of whatever account.
#[derive(Debug, from_row::FromRow)]
pub(crate) struct Suspect {
    #[row(try_from = "String")]
    pub(crate) id: LeadId,
    #[row(try_from = "String", rename = "account_id")]
    pub(crate) account: AccountId,
    #[row(try_from = "String", rename = "search_id")]
    pub(crate) search: SearchId,
    pub(crate) business_id: String,
    pub(crate) delivered_at: Moment,
    pub(crate) number: i64,
    // Neither unpacked nor upgraded yet: one damaged lead must not keep others from being found.
    #[row(flatten)]
    columns: LeadColumns,
    #[row(flatten)]
    site: SiteColumns,
}

impl Suspect {
    /// The lead, and the text of its website.
    pub(crate) fn read(&self) -> Result<(LeadJson, Option<String>), UpgradeError> {
        Ok((self.columns.clone().try_into()?, KeptSite::try_from(self.site.clone())?.text))
    }
}

/// The next leads behind an id, in order. Blanked ones are left out.
pub(crate) async fn suspects(db: &Db, after: &str, limit: i64) -> Result<Vec<Suspect>, DbError> {
    sql("select id, account_id, search_id, number, business_id, delivered_at, document, body, version, site, facts, site_text
         from lead where id > $1 and business_id <> 'suppressed-' || id order by id limit $2")
    .bind(after)
    .bind(limit)
    .all(db)
    .await
}

/// Blanks a lead. Its business id stays unique within its search.
pub(crate) async fn blank(tx: &mut Tx, suspect: &Suspect) -> Result<(), DbError> {
    let lead = Lead::blanked(suspect.id, suspect.search, suspect.delivered_at);
    let belongs = Belongs { account: suspect.account, search: suspect.search };
    let says = suspect.read().ok().and_then(|(json, _)| json.parse().ok());
    words::forget(tx, belongs, suspect.number, says.as_ref()).await?;
    let note = sql("update lead_mark set note = null where account_id = $1 and lead_id = $2");
    note.bind(suspect.account).bind(suspect.id).run(tx).await?;
    sql("update lead set document = $2, body = '', premium = '', site = $3, facts = '', site_text = null, version = $4,
         business_id = 'suppressed-' || id, score = 0,
         has_ad_pixel = null, ad_networks = '', has_analytics = null, platform = null where id = $1")
    .bind(suspect.id)
    .bind(LeadDocument::packed_of(&lead, &Score { points: 0, reasons: Vec::new() }))
    .bind(KeptSite::packed_of(&Site::default(), None))
    .bind(VERSION)
    .run(tx)
    .await
    .map(|_| ())
}

/// Id and number of every lead of a search, in order.
pub(crate) async fn ids(on: impl Into<On<'_>>, search: SearchId) -> Result<Vec<(LeadId, i64)>, DbError> {
    let found: Vec<(String, i64)> =
        sql("select id, number from lead where search_id = $1 order by number").bind(search).all(on).await?;
    Ok(found.into_iter().filter_map(|(id, number)| Some((LeadId::parse(&id)?, number))).collect())
}

/// The ranks of the leads of a search beyond a rank.
pub(crate) async fn ranks_after(db: &Db, search: SearchId, rank: i64) -> Result<Vec<i64>, DbError> {
    let found: Vec<(i64,)> =
        sql("select rank from lead where search_id = $1 and rank > $2").bind(search).bind(rank).all(db).await?;
    Ok(found.into_iter().map(|(rank,)| rank).collect())
}

/// The leads of a search that come after a number, in order, at most `limit` of them.
pub(crate) async fn after(db: &Db, search: SearchId, number: i64, limit: i64) -> Result<Vec<StoredLead>, DbError> {
    sql("select id, number, document, body, premium, version from lead where search_id = $1 and number > $2
         order by number limit $3")
    .bind(search)
    .bind(number)
    .bind(limit)
    .all(db)
    .await
}

/// The ranks of these leads, of those that belong to the search, in order.
pub(super) async fn ranks_of(db: &Db, search: SearchId, leads: &[LeadId]) -> Result<Vec<i64>, DbError> {
    let found: Vec<(i64,)> = sql("select rank from lead where search_id = $1 and id in")
        .bind(search)
        .among(leads.iter().map(|lead| (*lead).into()))
        .all(db)
        .await?;
    let mut ranks: Vec<i64> = found.into_iter().map(|(rank,)| rank).collect();
    ranks.sort_unstable();
    Ok(ranks)
}

/// The ranks of the leads that pass the filter, in this order.
pub(super) async fn ranks(
    db: &Db,
    search: SearchId,
    filter: &LeadFilter,
    order: LeadOrder,
) -> Result<Vec<i64>, DbError> {
    if order == LeadOrder::Rank && *filter == LeadFilter::default() {
        return all_ranks(db, search).await;
    }
    let found: Vec<(i64,)> = sql("select rank from lead where search_id = $1
         and ($2 is null or score >= $2)
         and ($3 is null or has_ad_pixel = $3)
         and ($4 is null or ad_networks like $4 escape '\\')
         and ($5 is null or has_analytics = $5)
         and ($6 is null or platform = $6)
         order by case when $7 then -score when $8 then number else 0 end, rank, number")
    .bind(search)
    .bind(filter.min_score)
    .bind(filter.has_ad_pixel)
    .bind(filter.ad_network.as_deref().map(|slug| format!("%,{},%", escaped(slug))))
    .bind(filter.has_analytics)
    .bind(filter.platform.clone())
    .bind(order == LeadOrder::Score)
    .bind(order == LeadOrder::Delivered)
    .all(db)
    .await?;
    Ok(found.into_iter().map(|(rank,)| rank).collect())
}

/// The ranks of all leads, from the index alone: by far the most frequent list.
async fn all_ranks(db: &Db, search: SearchId) -> Result<Vec<i64>, DbError> {
    let found: Vec<(i64,)> =
        sql("select rank from lead where search_id = $1 order by rank, number").bind(search).all(db).await?;
    Ok(found.into_iter().map(|(rank,)| rank).collect())
}

/// The leads whose ranks lie between two, both included, by rank: one range of the index.
pub(super) async fn between(db: &Db, search: SearchId, first: i64, last: i64) -> Result<Vec<ListedLead>, DbError> {
    sql("select rank, document, body, premium, version from lead where search_id = $1 and rank between $2 and $3
         order by rank, number")
    .bind(search)
    .bind(first)
    .bind(last)
    .all(db)
    .await
}

/// The leads with these ranks.
pub(super) async fn ranked(db: &Db, search: SearchId, ranks: &[i64]) -> Result<Vec<ListedLead>, DbError> {
    sql("select rank, document, body, premium, version from lead where search_id = $1 and rank in")
        .bind(search)
        .among(ranks.iter().map(|rank| (*rank).into()))
        .all(db)
        .await
}

/// A slug as a `like` pattern that matches only itself.
fn escaped(slug: &str) -> String {
    slug.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
