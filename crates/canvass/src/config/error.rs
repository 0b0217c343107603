//! What is wrong with a setting, and where it came from.

use std::fmt;
use std::path::PathBuf;

/// Where a setting's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag on the command line.
    Flag(String),
    /// A variable of the environment.
    Variable(String),
    /// A line of the settings file.
    File(PathBuf),
    /// Not set anywhere.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(flag) => write!(f, "--{flag}"),
            Origin::Variable(name) => f.write_str(name),
            Origin::File(path) => write!(f, "{}", path.display()),
            Origin::Default => f.write_str("default"),
        }
    }
}

/// A setting is unknown or invalid; startup stops with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this name.
    #[error("{said} is not a setting{}; `canvass serve --help` lists them all",
        nearest.map(|name| format!(" (did you mean {name}?)")).unwrap_or_default())]
    Unknown {
        /// As it was written.
        said: String,
        /// The most similar known name.
        nearest: Option<&'static str>,
    },
    /// Its value is not acceptable. The value is not repeated: it may be a secret.
    #[error("the setting {name} (from {origin}) {why}")]
    Bad {
        /// Its name in the settings file.
        name: &'static str,
        /// Where the value comes from.
        origin: Origin,
        /// What to change.
        why: String,
    },
    /// The settings file cannot be read.
    #[error("the settings file {} cannot be read: {why}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}
