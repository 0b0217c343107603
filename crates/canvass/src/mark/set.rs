//! Changes what is noted about a lead.

use super::{Mark, MarkChange, store};
use crate::app::App;
use crate::db::DbError;
use crate::lead::StoredLead;
use crate::owned::Owned;

/// Why a mark cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// Nothing is kept about a business that asked to be removed.
    #[error("this business was removed on request; nothing can be noted about it")]
    Removed,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Changes the mark of a lead and returns it as it is then.
pub async fn set(app: &App, lead: &Owned<StoredLead>, change: MarkChange) -> Result<Mark, MarkError> {
    if lead.lead().is_ok_and(|lead| lead.is_blank()) {
        return Err(MarkError::Removed);
    }
    let mut tx = app.db.begin().await?;
    let mut mark = store::lock(&mut tx, lead.account(), lead.id).await?;
    mark.change(change);
    store::save(&mut tx, lead, &mark, app.clock.now()).await?;
    tx.commit().await?;
    Ok(mark)
}
