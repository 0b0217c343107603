//! Leads as CSV (RFC 4180), streamed, with cells that no spreadsheet mistakes for formulas.

mod ad_audience;
mod call_list;
mod cell;
mod channel;
mod contact;
mod crm;
mod direct_mail;
mod file_name;
mod full;
mod link;
mod person;
mod place;
mod row;
mod shape;
mod write;

pub use cell::line;
pub use channel::{AudienceForm, Channel, ChannelOptions, MisplacedOption, Platform, Preset};
pub use file_name::{FileName, file_name};
pub use link::{ExportLink, LINK_SECONDS, LinkError};
pub use row::ExportRow;
pub use shape::Shape;
pub use write::{ByteOrderMark, CsvStream, FileFormat, WriteError, write, write_leads};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::{Lead, Premium, sample_lead};

    fn check(shape: Shape, change: impl FnOnce(&mut Lead), expected: Option<&str>) {
        let mut lead = sample_lead();
        change(&mut lead);
        let cells = shape.cells(&ExportRow { lead, premium: Premium::locked() });
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
        let row = ExportRow { lead: sample_lead(), premium: Premium::locked() };
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
    fn options_belong_to_their_channel() {
        let hashed = ChannelOptions { form: Some(AudienceForm::Hashed), ..ChannelOptions::default() };
        let preset = ChannelOptions { preset: Some(Preset::Hubspot), ..ChannelOptions::default() };
        assert_eq!(Shape::of(Channel::Crm, preset), Ok(Shape::Crm(Some(Preset::Hubspot))));
        assert_eq!(
            Shape::of(Channel::AdAudience, hashed),
            Ok(Shape::AdAudience(Platform::Google, AudienceForm::Hashed))
        );
        assert_eq!(Shape::of(Channel::Crm, hashed).unwrap_err().field, "hashed");
        assert_eq!(Shape::of(Channel::AdAudience, preset).unwrap_err().channel, Channel::Crm);
        assert_eq!(Shape::of(None, ChannelOptions::default()), Ok(Shape::Full));
        assert_eq!(Shape::of(None, preset).unwrap_err().field, "preset");
        let plain = ChannelOptions { form: Some(AudienceForm::Plain), ..ChannelOptions::default() };
        assert_eq!(Shape::of(Channel::DirectMail, plain), Ok(Shape::DirectMail));
    }
}
