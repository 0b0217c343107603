//! A link to a file that needs no key: it says by itself what it opens, for whom and until when, and is signed.
//!
//! An assistant can pass such a link on without the key ever entering the conversation. It dies with the key it was
//! made with.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::{Channel, Form, Opening, Platform, Preset, Shape, Wishes};
use crate::app::App;
use crate::clock::Moment;
use crate::ids::{KeyId, SearchId};
use crate::secret;

/// How long a link works.
pub const LINK_SECONDS: i64 = 15 * 60;
/// What the server's key is derived for.
const PURPOSE: &str = "canvass export link 1";
/// Characters of a token; longer ones are none of ours.
const TOKEN_CHARS_MAX: usize = 300;
/// How a token begins; another form would begin otherwise.
const VERSION: &str = "1";
/// Between the parts of a token, and the words of a shape.
const PART: char = '.';
const WORD: char = '-';
/// The file of everything.
const ALL: &str = "all";
/// How an opening with a byte order mark is written, and a shape of hashes.
const MARK: &str = "bom";
const HASHED: &str = "hashed";

/// What a link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Whose leads.
    pub search: SearchId,
    /// The key that asked; a link of a revoked key opens nothing.
    pub key: KeyId,
    /// The columns.
    pub shape: Shape,
    /// How the text begins.
    pub opening: Opening,
    /// Until when.
    pub expires_at: Moment,
}

/// A link cannot be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// It is not one of ours, or not whole.
    #[error("there is no such file: the link is incomplete, or was not made by this server; ask for a new one")]
    Broken,
    /// Its time is over.
    #[error("this link has expired: it worked for {} minutes; ask for a new one", LINK_SECONDS / 60)]
    Expired,
    /// The server's secret cannot be read.
    #[error("the server's secret cannot be read")]
    Secret(#[from] std::io::Error),
}

impl Link {
    /// The link as text.
    pub fn sign(&self, app: &App) -> Result<String, LinkError> {
        let opening = if self.opening == Opening::Mark { MARK } else { "" };
        let seconds = self.expires_at.micros() / 1_000_000;
        let Link { search, key, .. } = self;
        let payload = format!("{VERSION}.{search}.{key}.{seconds}.{}.{opening}", written(self.shape));
        let signature = hex::encode(mac(app, &payload)?.finalize().into_bytes());
        Ok(format!("{payload}{PART}{signature}"))
    }

    /// Reads a link that this server, or one that shares its secret, has signed and whose time is not over.
    pub fn open(app: &App, token: &str) -> Result<Link, LinkError> {
        if token.len() > TOKEN_CHARS_MAX {
            return Err(LinkError::Broken);
        }
        let (payload, signature) = token.rsplit_once(PART).ok_or(LinkError::Broken)?;
        let signature = hex::decode(signature).map_err(|_| LinkError::Broken)?;
        mac(app, payload)?.verify_slice(&signature).map_err(|_| LinkError::Broken)?;
        let link = read(payload).ok_or(LinkError::Broken)?;
        let now = app.clock.now();
        // A link that works for longer than any was signed by a clock that was ahead: nobody knows when it was made.
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

fn read(payload: &str) -> Option<Link> {
    let [VERSION, search, key, seconds, shape, opening] = payload.split(PART).collect::<Vec<_>>()[..] else {
        return None;
    };
    Some(Link {
        search: SearchId::parse(search)?,
        key: KeyId::parse(key)?,
        shape: shape_of(shape)?,
        opening: if opening == MARK { Opening::Mark } else { Opening::Columns },
        expires_at: Moment::from_micros(seconds.parse::<i64>().ok()?.checked_mul(1_000_000)?),
    })
}

/// A shape in words: its channel, then what was wished for.
fn written(shape: Shape) -> String {
    let Wishes { preset, platform, form } = shape.wishes();
    let mut words = vec![shape.channel().map_or(ALL, Channel::name)];
    words.extend(preset.map(Preset::name));
    words.extend(platform.map(Platform::name));
    words.extend((form == Some(Form::Hashed)).then_some(HASHED));
    words.join(&WORD.to_string())
}

fn shape_of(text: &str) -> Option<Shape> {
    let mut words = text.split(WORD);
    let channel = words.next()?;
    let channel = Channel::ALL.into_iter().find(|one| one.name() == channel);
    let mut wishes = Wishes::default();
    for word in words {
        wishes.preset = wishes.preset.or_else(|| Preset::ALL.into_iter().find(|one| one.name() == word));
        wishes.platform = wishes.platform.or_else(|| Platform::ALL.into_iter().find(|one| one.name() == word));
        wishes.form = wishes.form.or_else(|| (word == HASHED).then_some(Form::Hashed));
    }
    Shape::of(channel, wishes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_read_back() {
        let plain = [Shape::Full, Shape::CallList, Shape::DirectMail, Shape::Crm(None)];
        let crm = Preset::ALL.map(|preset| Shape::Crm(Some(preset)));
        let audiences = Platform::ALL
            .into_iter()
            .flat_map(|platform| [Form::Plain, Form::Hashed].map(|form| Shape::AdAudience(platform, form)));
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
