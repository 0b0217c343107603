//! The shape of a file: every field of every lead, or what one outreach channel needs.

use super::channel::{AudienceForm, Channel, ChannelOptions, MisplacedOption, Platform, Preset};
use super::row::ExportRow;
use super::{ad_audience, call_list, crm, direct_mail, full};

/// Which columns a file has, and which leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every field of every lead.
    Full,
    /// A contact for sales software, then every other field.
    Crm(Option<Preset>),
    /// Only leads with a phone.
    CallList,
    /// Only leads that the platform can match.
    AdAudience(Platform, AudienceForm),
    /// Only leads with a complete postal address.
    DirectMail,
}

impl Shape {
    /// The shape of a channel's file with these options; without a channel, every field.
    pub fn of(channel: impl Into<Option<Channel>>, options: ChannelOptions) -> Result<Shape, MisplacedOption> {
        let channel = channel.into();
        let misplaced = |field, channel| Err(MisplacedOption { field, channel });
        if options.platform.is_some() && channel != Some(Channel::AdAudience) {
            return misplaced("platform", Channel::AdAudience);
        }
        if options.form == Some(AudienceForm::Hashed) && channel != Some(Channel::AdAudience) {
            return misplaced("hashed", Channel::AdAudience);
        }
        if options.preset.is_some() && channel != Some(Channel::Crm) {
            return misplaced("preset", Channel::Crm);
        }
        Ok(match channel {
            None => Shape::Full,
            Some(Channel::Crm) => Shape::Crm(options.preset),
            Some(Channel::CallList) => Shape::CallList,
            Some(Channel::AdAudience) => {
                Shape::AdAudience(options.platform.unwrap_or_default(), options.form.unwrap_or_default())
            }
            Some(Channel::DirectMail) => Shape::DirectMail,
        })
    }

    /// The options that give this shape.
    pub fn options(self) -> ChannelOptions {
        match self {
            Shape::Crm(preset) => ChannelOptions { preset, ..ChannelOptions::default() },
            Shape::AdAudience(platform, form) => {
                ChannelOptions { platform: Some(platform), form: Some(form), ..ChannelOptions::default() }
            }
            Shape::Full | Shape::CallList | Shape::DirectMail => ChannelOptions::default(),
        }
    }

    /// None for the file of every field.
    pub fn channel(self) -> Option<Channel> {
        match self {
            Shape::Full => None,
            Shape::Crm(_) => Some(Channel::Crm),
            Shape::CallList => Some(Channel::CallList),
            Shape::AdAudience(..) => Some(Channel::AdAudience),
            Shape::DirectMail => Some(Channel::DirectMail),
        }
    }

    /// The header row.
    pub fn columns(self) -> Vec<&'static str> {
        match self {
            Shape::Full => full::columns(),
            Shape::Crm(preset) => crm::columns(preset),
            Shape::CallList => call_list::COLUMNS.to_vec(),
            Shape::AdAudience(platform, form) => ad_audience::columns(platform, form),
            Shape::DirectMail => direct_mail::COLUMNS.to_vec(),
        }
    }

    /// The cells of a lead, one for each column; none when the channel leaves the lead out. Every file leaves out leads that
    /// were blanked.
    pub fn cells(self, row: &ExportRow) -> Option<Vec<String>> {
        if row.lead.is_blank() {
            return None;
        }
        match self {
            Shape::Full => Some(full::cells(row)),
            Shape::Crm(_) => Some(crm::cells(row)),
            Shape::CallList => call_list::cells(row),
            Shape::AdAudience(platform, form) => ad_audience::cells(row, platform, form),
            Shape::DirectMail => direct_mail::cells(row),
        }
    }
}
