//! All SQL about leads that an earlier version stored.

use crate::db::{Db, DbError, Tx, sql};
use crate::ids::LeadId;
use crate::lead::json::{DocumentColumns, KeptSite, LeadDocument, SiteColumns};
use crate::lead::packed::is_outdated;
use crate::lead::place::LeadPlace;
use crate::lead::upgrade::VERSION;

/// A lead that an earlier version may have stored: as text and without its words, or packed in another form.
#[derive(Debug, from_row::FromRow)]
pub(super) struct Outdated {
    #[row(try_from = "String")]
    pub(super) id: LeadId,
    #[row(flatten)]
    pub(super) place: LeadPlace,
    #[row(flatten)]
    document: DocumentColumns,
    #[row(flatten)]
    site: SiteColumns,
}

impl Outdated {
    /// Whether it is packed, in whatever form. Then its words were stored with it.
    pub(super) fn is_packed(&self) -> bool {
        self.document.packed().is_some()
    }

    /// The lead and what is kept of its website; nothing when it is damaged.
    pub(super) fn read(&self) -> Option<(LeadDocument, KeptSite)> {
        Some((self.document.clone().try_into().ok()?, self.site.clone().try_into().ok()?))
    }
}

/// Packs a lead, unless that or something else was done to it since it was read.
pub(super) async fn pack(
    tx: &mut Tx,
    lead: &Outdated,
    (document, site): &(LeadDocument, KeptSite),
) -> Result<(), DbError> {
    let (old_document, old_site) = (lead.document.packed().unwrap_or_default(), lead.site.packed().unwrap_or_default());
    if lead.is_packed() && !is_outdated(old_document) && !is_outdated(old_site) {
        return Ok(());
    }
    sql("update lead set document = $2, body = '', premium = '', site = $3, facts = '', site_text = null, version = $4
         where id = $1 and (document is null or (document = $5 and site = $6))")
    .bind(lead.id)
    .bind(document.packed())
    .bind(site.packed())
    .bind(VERSION)
    .bind(old_document.to_vec())
    .bind(old_site.to_vec())
    .run(tx)
    .await
    .map(|_| ())
}

/// The lead after which leads of earlier versions are not up to date yet; `None` when all are.
pub(in crate::lead) async fn backlog(db: &Db) -> Result<Option<String>, DbError> {
    let found: Option<(String,)> = sql("select after_lead from lead_backlog where id = 1").optional(db).await?;
    Ok(found.map(|(after,)| after))
}

pub(super) async fn outdated(db: &Db, after: &str, limit: i64) -> Result<Vec<Outdated>, DbError> {
    sql("select id, account_id, search_id, number, document, body, premium, version, site, facts, site_text
         from lead where id > $1 order by id limit $2")
    .bind(after)
    .bind(limit)
    .all(db)
    .await
}

/// Leads up to this one are up to date; without one, all are.
pub(super) async fn advance_backlog(tx: &mut Tx, to: Option<LeadId>) -> Result<(), DbError> {
    let query = match to {
        Some(lead) => sql("update lead_backlog set after_lead = $1 where id = 1 and after_lead < $1").bind(lead),
        None => sql("delete from lead_backlog where id = 1"),
    };
    query.run(tx).await.map(|_| ())
}
