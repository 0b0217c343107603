//! What a file is made for: everything, or one outreach channel.

use super::{FULL_COLUMNS, Row, ad_audience, call_list, crm, direct_mail, full_row};

/// An outreach channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Sales software.
    Crm,
    /// A phone.
    CallList,
    /// Customer matching of an advertising platform.
    AdAudience,
    /// Letters.
    DirectMail,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Channel; 4] = [Channel::Crm, Channel::CallList, Channel::AdAudience, Channel::DirectMail];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Crm => "crm",
            Channel::CallList => "call_list",
            Channel::AdAudience => "ad_audience",
            Channel::DirectMail => "direct_mail",
        }
    }
}

/// Sales software whose import names its columns in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// HubSpot.
    Hubspot,
    /// Salesforce.
    Salesforce,
    /// Pipedrive.
    Pipedrive,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Preset; 3] = [Preset::Hubspot, Preset::Salesforce, Preset::Pipedrive];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Hubspot => "hubspot",
            Preset::Salesforce => "salesforce",
            Preset::Pipedrive => "pipedrive",
        }
    }
}

/// An advertising platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// Google Customer Match.
    #[default]
    Google,
    /// Meta custom audiences.
    Meta,
    /// TikTok customer files.
    Tiktok,
    /// LinkedIn contact lists.
    Linkedin,
}

impl Platform {
    /// Every platform.
    pub const ALL: [Platform; 4] = [Platform::Google, Platform::Meta, Platform::Tiktok, Platform::Linkedin];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Google => "google",
            Platform::Meta => "meta",
            Platform::Tiktok => "tiktok",
            Platform::Linkedin => "linkedin",
        }
    }
}

/// Whether a platform is given what is known of people, or hashes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    #[default]
    Plain,
    /// SHA-256 of it, brought into the platform's form before.
    Hashed,
}

/// What is asked of a channel's file, as it was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// For `crm`.
    pub preset: Option<Preset>,
    /// For `ad_audience`.
    pub platform: Option<Platform>,
    /// For `ad_audience`.
    pub form: Option<Form>,
}

/// A wish that the channel knows nothing of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is for channel={} only; leave it out", channel.name())]
pub struct Misplaced {
    /// Which wish.
    pub field: &'static str,
    /// The channel that knows it.
    pub channel: Channel,
}

/// The columns and rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every field.
    Full,
    /// Sales software.
    Crm(Option<Preset>),
    /// A phone.
    CallList,
    /// Customer matching.
    AdAudience(Platform, Form),
    /// Letters.
    DirectMail,
}

impl Shape {
    /// The shape a channel's file is asked for in; without a channel, everything.
    pub fn of(channel: impl Into<Option<Channel>>, wishes: Wishes) -> Result<Shape, Misplaced> {
        let channel = channel.into();
        let misplaced = |field, channel| Err(Misplaced { field, channel });
        if wishes.platform.is_some() && channel != Some(Channel::AdAudience) {
            return misplaced("platform", Channel::AdAudience);
        }
        if wishes.form == Some(Form::Hashed) && channel != Some(Channel::AdAudience) {
            return misplaced("hashed", Channel::AdAudience);
        }
        if wishes.preset.is_some() && channel != Some(Channel::Crm) {
            return misplaced("preset", Channel::Crm);
        }
        Ok(match channel {
            None => Shape::Full,
            Some(Channel::Crm) => Shape::Crm(wishes.preset),
            Some(Channel::CallList) => Shape::CallList,
            Some(Channel::AdAudience) => {
                Shape::AdAudience(wishes.platform.unwrap_or_default(), wishes.form.unwrap_or_default())
            }
            Some(Channel::DirectMail) => Shape::DirectMail,
        })
    }

    /// What was asked for to get this shape.
    pub fn wishes(self) -> Wishes {
        match self {
            Shape::Crm(preset) => Wishes { preset, ..Wishes::default() },
            Shape::AdAudience(platform, form) => {
                Wishes { platform: Some(platform), form: Some(form), ..Wishes::default() }
            }
            Shape::Full | Shape::CallList | Shape::DirectMail => Wishes::default(),
        }
    }

    /// The channel it is for; none when it holds everything.
    pub fn channel(self) -> Option<Channel> {
        match self {
            Shape::Full => None,
            Shape::Crm(_) => Some(Channel::Crm),
            Shape::CallList => Some(Channel::CallList),
            Shape::AdAudience(..) => Some(Channel::AdAudience),
            Shape::DirectMail => Some(Channel::DirectMail),
        }
    }

    /// The columns, in order.
    pub fn columns(self) -> Vec<&'static str> {
        match self {
            Shape::Full => FULL_COLUMNS.to_vec(),
            Shape::Crm(preset) => crm::columns(preset),
            Shape::CallList => call_list::COLUMNS.to_vec(),
            Shape::AdAudience(platform, form) => ad_audience::columns(platform, form),
            Shape::DirectMail => direct_mail::COLUMNS.to_vec(),
        }
    }

    /// The cells of a lead, in the order of the columns; none when the lead is of no use there.
    pub fn cells(self, row: &Row) -> Option<Vec<String>> {
        match self {
            Shape::Full => Some(full_row(row)),
            Shape::Crm(_) => Some(crm::cells(row)),
            Shape::CallList => call_list::cells(row),
            Shape::AdAudience(platform, form) => ad_audience::cells(row, platform, form),
            Shape::DirectMail => direct_mail::cells(row),
        }
    }
}
