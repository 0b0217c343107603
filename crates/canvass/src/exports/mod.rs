//! Leads as CSV (RFC 4180): one row each, written as they are read, with cells that no spreadsheet mistakes for formulas.

mod ad_audience;
mod call_list;
mod cell;
mod contact;
mod crm;
mod direct_mail;
mod file_name;
mod full;
mod link;
mod person;
mod place;
mod shape;
mod write;

pub use file_name::{FileName, file_name};
pub use full::{FULL_COLUMNS, full_row};
pub use link::{LINK_SECONDS, Link, LinkError};
pub use shape::{Channel, Form, Misplaced, Platform, Preset, Shape, Wishes};
pub use write::{Opening, Sheet, WriteError, write};

use crate::lead::{Lead, Lock, StoredLead};
use crate::signals::Reason;

/// A lead with its score, as a row is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The lead.
    pub lead: Lead,
    /// Its score, when the account may see it.
    pub premium: Option<Premium>,
}

/// The part of a lead that Signals+ opens.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Premium {
    /// 0 to 100.
    pub score: i64,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl Row {
    /// Reads a stored lead.
    pub fn read(stored: &StoredLead, lock: Lock) -> Result<Row, serde_json::Error> {
        let lead = crate::lead::parse(&stored.body)?;
        let premium = match lock {
            Lock::Open => Some(serde_json::from_str(&format!("{{{}}}", stored.premium))?),
            Lock::Premium => None,
        };
        Ok(Row { lead, premium })
    }
}

/// A line of CSV: its cells guarded and quoted, ended by CRLF.
pub fn line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let mut line = String::new();
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            line.push(',');
        }
        cell::write(&mut line, cell.as_ref());
    }
    line.push_str("\r\n");
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lead of which nothing is known but its name.
    pub(super) fn lead() -> Lead {
        let known = serde_json::json!({
            "lead_id": "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11", "search_id": "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d12",
            "business_id": "test:1", "delivered_at": "2026-11-15T02:03:04.123456+00:00", "business_name": "Joe's",
            "industry": "Plumber", "site_status": "none", "is_chain": false, "emails": [], "socials": {}, "evidence": [],
            "signals": {"basic": {"detected": false, "has_website": false}},
        });
        serde_json::from_value(known).unwrap()
    }

    fn check(shape: Shape, change: impl FnOnce(&mut Lead), expected: Option<&str>) {
        let mut lead = lead();
        change(&mut lead);
        let cells = shape.cells(&Row { lead, premium: None });
        assert_eq!(cells.map(line).as_deref(), expected, "{shape:?}");
    }

    fn whole(lead: &mut Lead) {
        lead.business_name = "=Joe's, \"the\" plumber".into();
        lead.owner_name = Some("Dr. Ann van der Berg, DDS".into());
        lead.owner_title = Some("Owner".into());
        lead.phone = Some("(512) 555-0100".into());
        lead.street = Some("5 Main St, Suite 9".into());
        lead.city = Some("Boston".into());
        lead.state = Some("Massachusetts".into());
        lead.postal_code = Some("2134".into());
        lead.country = Some("US".into());
    }

    #[test]
    fn every_shape_has_a_cell_for_every_column() {
        let row = Row { lead: lead(), premium: None };
        let shapes = [Shape::Full, Shape::Crm(None)].into_iter().chain(Preset::ALL.map(|one| Shape::Crm(Some(one))));
        for shape in shapes {
            assert_eq!(shape.cells(&row).unwrap().len(), shape.columns().len(), "{shape:?}");
        }
    }

    #[test]
    fn a_caller_gets_those_with_a_phone() {
        let name = r#""'=Joe's, ""the"" plumber""#;
        let line = format!(
            "{name},\"Dr. Ann van der Berg, DDS\",Owner,+15125550100,\"5 Main St, Suite 9\",Boston,MA,02134\r\n"
        );
        check(Shape::CallList, whole, Some(&line));
        check(Shape::CallList, |_| {}, None);
    }

    #[test]
    fn a_letter_goes_to_those_it_would_reach() {
        let line =
            "\"Dr. Ann van der Berg, DDS\",\"'=Joe's, \"\"the\"\" plumber\",5 Main St,Suite 9,Boston,MA,02134,US\r\n";
        check(Shape::DirectMail, whole, Some(line));
        let parts: [fn(&mut Lead); 3] =
            [|lead| lead.street = None, |lead| lead.city = None, |lead| lead.postal_code = None];
        for missing in parts {
            let incomplete = |lead: &mut Lead| {
                whole(lead);
                missing(lead);
            };
            check(Shape::DirectMail, incomplete, None);
        }
    }

    #[test]
    fn wishes_belong_to_their_channel() {
        let hashed = Wishes { form: Some(Form::Hashed), ..Wishes::default() };
        let preset = Wishes { preset: Some(Preset::Hubspot), ..Wishes::default() };
        assert_eq!(Shape::of(Channel::Crm, preset), Ok(Shape::Crm(Some(Preset::Hubspot))));
        assert_eq!(Shape::of(Channel::AdAudience, hashed), Ok(Shape::AdAudience(Platform::Google, Form::Hashed)));
        assert_eq!(Shape::of(Channel::Crm, hashed).unwrap_err().field, "hashed");
        assert_eq!(Shape::of(Channel::AdAudience, preset).unwrap_err().channel, Channel::Crm);
        assert_eq!(Shape::of(None, Wishes::default()), Ok(Shape::Full));
        assert_eq!(Shape::of(None, preset).unwrap_err().field, "preset");
        let plain = Wishes { form: Some(Form::Plain), ..Wishes::default() };
        assert_eq!(Shape::of(Channel::DirectMail, plain), Ok(Shape::DirectMail));
    }
}
