//! Writes what was found onto a lead, with evidence for each part of it.

use super::check::Checked;
use crate::clock::Moment;
use crate::lead::{Email, Evidence, Lead};

/// How, and when, it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) method: &'static str,
    pub(super) at: Moment,
}

/// What the methods of evidence are called that enrichment leaves.
const METHODS: [&str; 2] = ["ai", "rules"];
/// The fields that enrichment can better.
const FIELDS: [&str; 2] = ["owner_name", "primary_email"];

/// The fields of a lead that enrichment found or bettered.
pub fn added(lead: &Lead) -> Vec<&'static str> {
    let is_ours = |field: &&str| {
        lead.evidence.iter().any(|proof| proof.field == *field && METHODS.contains(&proof.method.as_str()))
    };
    FIELDS.into_iter().filter(is_ours).collect()
}

/// Puts what was found onto a lead. `false` when that changes nothing.
pub(super) fn improve(lead: &mut Lead, found: &Checked, origin: Origin) -> bool {
    let before = lead.clone();
    if let Some(owner) = &found.owner {
        lead.owner_name = Some(owner.name.clone());
        lead.owner_title.clone_from(&owner.title);
        prove(lead, origin.evidence("owner_name", &owner.name, Quoted { url: &owner.url, snippet: &owner.snippet }));
    }
    if let Some(email) = &found.email {
        if !lead.emails.iter().any(|known| known.email == email.email) {
            lead.emails.push(Email {
                email: email.email.clone(),
                kind: email.kind,
                confidence: email.confidence,
                is_primary: false,
            });
        }
        make_primary(lead, &email.email);
        let proof = |field| origin.evidence(field, &email.email, Quoted { url: &email.url, snippet: &email.snippet });
        prove(lead, proof("primary_email"));
        if !lead.evidence.iter().any(|proof| proof.field == "emails" && proof.value == email.email) {
            prove(lead, proof("emails"));
        }
    }
    is_other(&before, lead)
}

/// Whether anything but the evidence is different.
fn is_other(before: &Lead, after: &Lead) -> bool {
    (&before.owner_name, &before.owner_title, &before.primary_email)
        != (&after.owner_name, &after.owner_title, &after.primary_email)
}

/// Makes an email the primary one, and the first.
fn make_primary(lead: &mut Lead, email: &str) {
    for known in &mut lead.emails {
        known.is_primary = known.email == email;
    }
    lead.emails.sort_by_key(|known| !known.is_primary);
    lead.primary_email = Some(email.to_owned());
}

/// Adds evidence; for a field with one value, it replaces what was there.
fn prove(lead: &mut Lead, evidence: Evidence) {
    let single = evidence.field != "emails";
    lead.evidence.retain(|proof| !(single && proof.field == evidence.field));
    lead.evidence.push(evidence);
}

/// Where on a website a value was found.
struct Quoted<'a> {
    url: &'a str,
    snippet: &'a str,
}

impl Origin {
    fn evidence(self, field: &str, value: &str, at: Quoted<'_>) -> Evidence {
        Evidence {
            field: field.to_owned(),
            value: value.to_owned(),
            url: at.url.to_owned(),
            method: self.method.to_owned(),
            snippet: at.snippet.to_owned(),
            seen_at: self.at,
        }
    }
}
