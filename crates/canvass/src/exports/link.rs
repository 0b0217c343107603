//! Signed download links, which carry what they open, for which key and until when.
//!
//! An assistant can pass on such a link without the key entering the conversation. The link stops working when the key
//! it was made with is revoked.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::channel::{AudienceForm, Channel, ChannelOptions, Platform, Preset};
use super::shape::Shape;
use super::write::{ByteOrderMark, FileFormat};
use crate::app::App;
use crate::clock::Moment;
use crate::ids::{KeyId, SearchId};
use crate::secret;

/// Lifetime of a link.
pub const LINK_SECONDS: i64 = 15 * 60;
/// Separates this use of the server's secret from others.
const PURPOSE: &str = "canvass export link 1";
/// Characters of a token; longer ones are refused unread.
const TOKEN_CHARS_MAX: usize = 300;
/// Version of the token's format, its first part.
const VERSION: &str = "1";
/// Separators of the parts of a token, and of the words of a shape.
const PART: char = '.';
const WORD: char = '-';
/// The shape without a channel.
const ALL: &str = "all";
/// How a token names a byte order mark and hashed values.
const MARK: &str = "bom";
const HASHED: &str = "hashed";

/// What a signed link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportLink {
    /// The search whose leads the file has.
    pub search: SearchId,
    /// The key that requested the link; revoking the key disables it.
    pub key: KeyId,
    /// What the file looks like.
    pub format: FileFormat,
    /// At most [`LINK_SECONDS`] after the link was made.
    pub expires_at: Moment,
}

/// Why a link cannot be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The signature does not match, or part of the link is missing.
    #[error("there is no such file: the link is incomplete, or was not made by this server; ask for a new one")]
    Broken,
    /// Its lifetime has passed.
    #[error("this link has expired: it worked for {} minutes; ask for a new one", LINK_SECONDS / 60)]
    Expired,
    /// The server's secret cannot be read.
    #[error("the server's secret cannot be read")]
    Secret(#[from] std::io::Error),
}

impl ExportLink {
    /// The token, as the last segment of the link.
    pub fn sign(&self, app: &App) -> Result<String, LinkError> {
        let mark = if self.format.mark == ByteOrderMark::With { MARK } else { "" };
        let seconds = self.expires_at.micros() / 1_000_000;
        let ExportLink { search, key, .. } = self;
        let payload = format!("{VERSION}.{search}.{key}.{seconds}.{}.{mark}", written(self.format.shape));
        let signature = hex::encode(mac(app, &payload)?.finalize().into_bytes());
        Ok(format!("{payload}{PART}{signature}"))
    }

    /// Verifies a token of this server, or of one that shares its secret.
    pub fn open(app: &App, token: &str) -> Result<ExportLink, LinkError> {
        if token.len() > TOKEN_CHARS_MAX {
            return Err(LinkError::Broken);
        }
        let (payload, signature) = token.rsplit_once(PART).ok_or(LinkError::Broken)?;
        let signature = hex::decode(signature).map_err(|_| LinkError::Broken)?;
        mac(app, payload)?.verify_slice(&signature).map_err(|_| LinkError::Broken)?;
        let link = read(payload).ok_or(LinkError::Broken)?;
        let now = app.clock.now();
        // A link that expires later than any can was signed while the clock was ahead, so its age is unknown.
        let in_time = now < link.expires_at && link.expires_at <= now.latest_ahead(LINK_SECONDS);
        if in_time { Ok(link) } else { Err(LinkError::Expired) }
    }
}

fn mac(app: &App, payload: &str) -> Result<Hmac<Sha256>, LinkError> {
    let key = secret::derive(app, PURPOSE)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes a key of any length");
    mac.update(payload.as_bytes());
    Ok(mac)
}

fn read(payload: &str) -> Option<ExportLink> {
    let [VERSION, search, key, seconds, shape, mark] = payload.split(PART).collect::<Vec<_>>()[..] else {
        return None;
    };
    Some(ExportLink {
        search: SearchId::parse(search)?,
        key: KeyId::parse(key)?,
        format: FileFormat {
            shape: shape_of(shape)?,
            mark: if mark == MARK { ByteOrderMark::With } else { ByteOrderMark::Without },
        },
        expires_at: Moment::from_micros(seconds.parse::<i64>().ok()?.checked_mul(1_000_000)?),
    })
}

/// A shape in words: its channel, then its options.
fn written(shape: Shape) -> String {
    let ChannelOptions { preset, platform, form } = shape.options();
    let mut words = vec![shape.channel().map_or(ALL, Channel::name)];
    words.extend(preset.map(Preset::name));
    words.extend(platform.map(Platform::name));
    words.extend((form == Some(AudienceForm::Hashed)).then_some(HASHED));
    words.join(&WORD.to_string())
}

fn shape_of(text: &str) -> Option<Shape> {
    let mut words = text.split(WORD);
    let channel = words.next()?;
    let channel = Channel::ALL.into_iter().find(|one| one.name() == channel);
    let mut options = ChannelOptions::default();
    for word in words {
        options.preset = options.preset.or_else(|| Preset::ALL.into_iter().find(|one| one.name() == word));
        options.platform = options.platform.or_else(|| Platform::ALL.into_iter().find(|one| one.name() == word));
        options.form = options.form.or_else(|| (word == HASHED).then_some(AudienceForm::Hashed));
    }
    Shape::of(channel, options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_read_back() {
        let plain = [Shape::Full, Shape::CallList, Shape::DirectMail, Shape::Crm(None)];
        let crm = Preset::ALL.map(|preset| Shape::Crm(Some(preset)));
        let audiences = Platform::ALL.into_iter().flat_map(|platform| {
            [AudienceForm::Plain, AudienceForm::Hashed].map(|form| Shape::AdAudience(platform, form))
        });
        for shape in plain.into_iter().chain(crm).chain(audiences) {
            assert_eq!(shape_of(&written(shape)), Some(shape), "{}", written(shape));
        }
    }

    #[test]
    fn what_is_no_payload_is_not_read() {
        for wrong in ["", "1", "1.a.b.c.d.e", "2.....", &".".repeat(1_000)] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
