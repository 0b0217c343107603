//! Outreach channels, and the options each of them has.

/// An outreach channel that a file can be shaped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Import into sales software.
    Crm,
    /// For people who make phone calls.
    CallList,
    /// Customer matching of an advertising platform.
    AdAudience,
    /// For letters.
    DirectMail,
}

impl Channel {
    /// In the order in which documents list them.
    pub const ALL: [Channel; 4] = [Channel::Crm, Channel::CallList, Channel::AdAudience, Channel::DirectMail];

    /// As the API writes it.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Crm => "crm",
            Channel::CallList => "call_list",
            Channel::AdAudience => "ad_audience",
            Channel::DirectMail => "direct_mail",
        }
    }
}

/// Sales software with column names of its own.
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
    /// In the order in which documents list them.
    pub const ALL: [Preset; 3] = [Preset::Hubspot, Preset::Salesforce, Preset::Pipedrive];

    /// As the API writes it.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Hubspot => "hubspot",
            Preset::Salesforce => "salesforce",
            Preset::Pipedrive => "pipedrive",
        }
    }
}

/// An advertising platform with customer matching.
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
    /// In the order in which documents list them.
    pub const ALL: [Platform; 4] = [Platform::Google, Platform::Meta, Platform::Tiktok, Platform::Linkedin];

    /// As the API writes it.
    pub fn name(self) -> &'static str {
        match self {
            Platform::Google => "google",
            Platform::Meta => "meta",
            Platform::Tiktok => "tiktok",
            Platform::Linkedin => "linkedin",
        }
    }
}

/// Whether a platform receives plain values or hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AudienceForm {
    /// Values as they are.
    #[default]
    Plain,
    /// SHA-256 after the platform's own normalisation.
    Hashed,
}

/// The options of a channel's file, as they were requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelOptions {
    /// Only with [`Channel::Crm`].
    pub preset: Option<Preset>,
    /// Only with [`Channel::AdAudience`].
    pub platform: Option<Platform>,
    /// Only with [`Channel::AdAudience`], unless it is plain.
    pub form: Option<AudienceForm>,
}

/// An option that the chosen channel does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is for channel={} only; leave it out", channel.name())]
pub struct MisplacedOption {
    /// The request field.
    pub field: &'static str,
    /// The channel that has this option.
    pub channel: Channel,
}
