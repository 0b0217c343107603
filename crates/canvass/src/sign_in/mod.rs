//! How people get in: by password, or by a link that was printed for them or sent to their address.

mod by_password;
mod issue;
mod letter;
mod link;
mod redeem;
mod request;
pub(crate) mod store;
mod throttle;

pub use by_password::{SignInError, sign_in};
pub use issue::{invite, link_for};
pub use letter::Letter;
pub use link::{AccessLink, LINK_PREFIX, LinkToken, Purpose, UnknownPurpose};
pub use redeem::{RedeemError, Redeemed, redeem};
pub use request::{ConfirmError, SignUpError, change_email, confirm, forgot, sign_up};
pub use throttle::Throttled;
pub(crate) use throttle::forget_old;

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// The network address, as far as this server can tell.
    pub address: &'a str,
    /// Browser and system, such as "Firefox on Linux".
    pub device: &'a str,
}
