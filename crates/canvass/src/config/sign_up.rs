//! Who may open an account of their own.

use std::fmt;
use std::str::FromStr;

/// Who may open an account of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignUp {
    /// Everybody who can read mail at an address.
    Open,
    /// Those for whom the operator makes a link.
    Invite,
    /// Nobody.
    Closed,
}

impl SignUp {
    /// All of them.
    pub const ALL: [SignUp; 3] = [SignUp::Open, SignUp::Invite, SignUp::Closed];

    /// As settings and the API name it.
    pub fn name(self) -> &'static str {
        match self {
            SignUp::Open => "open",
            SignUp::Invite => "invite",
            SignUp::Closed => "closed",
        }
    }
}

impl fmt::Display for SignUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not a way to sign up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not one of open, invite and closed")]
pub struct UnknownSignUp(String);

impl FromStr for SignUp {
    type Err = UnknownSignUp;

    fn from_str(text: &str) -> Result<SignUp, UnknownSignUp> {
        SignUp::ALL.into_iter().find(|known| known.name() == text).ok_or_else(|| UnknownSignUp(text.to_owned()))
    }
}
