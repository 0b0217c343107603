//! Why place data could not be read or written.

use std::io;
use std::path::PathBuf;

/// Characters of a problem that are shown.
const PROBLEM_CHARS_MAX: usize = 1000;

/// Why place data could not be read or written. Every message names the file and, where there is one, the position in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not what its name or its content claims.
    #[error("{file}{}: {problem}", at.as_ref().map(|at| format!(", {at}")).unwrap_or_default())]
    Malformed {
        /// Which file or object.
        file: String,
        /// Where in it: `line 7`, `block 3`, `row group 2`.
        at: Option<String>,
        /// What is wrong, and what was expected.
        problem: String,
    },
    /// There is no such file.
    #[error("{file}: there is no such file")]
    Missing {
        /// Which file.
        file: String,
    },
    /// The store does not give the file now. Trying again later may work.
    #[error("{file}: cannot be fetched ({reason})")]
    Unreachable {
        /// Which file.
        file: String,
        /// What the store or the network said.
        reason: String,
    },
    /// A query over several sources finds more places than can be merged.
    #[error("there are more than {most} places to merge; search a smaller area, or fewer sources at once")]
    TooMany {
        /// How many can be merged.
        most: u64,
    },
    /// There is no import with this name.
    #[error("nothing is imported as {name:?}{}", known(imported))]
    NotImported {
        /// The name that was asked for.
        name: String,
        /// The names of all imports.
        imported: Vec<String>,
    },
    /// A version of an import is gone: others were imported since.
    #[error("version {version} of the import {name:?} is gone: others were imported since")]
    Replaced {
        /// Which import.
        name: String,
        /// The version that was asked for.
        version: String,
    },
    /// Another process imports or removes the same now.
    #[error("another process is importing {name:?} or removing it; wait until it has finished")]
    Busy {
        /// Which import.
        name: String,
    },
    /// An import cannot have this name.
    #[error("an import cannot be named {name:?}: {problem}")]
    Name {
        /// The name.
        name: String,
        /// What a name may be.
        problem: String,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// An input or output error of this file.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }

    /// A malformed file.
    pub fn malformed(file: impl Into<String>, problem: impl Into<String>) -> Error {
        Error::Malformed { file: file.into(), at: None, problem: shown(&problem.into()) }
    }

    /// A malformed file, with the position of the fault.
    pub fn malformed_at(file: impl Into<String>, at: impl Into<String>, problem: impl Into<String>) -> Error {
        Error::Malformed { file: file.into(), at: Some(at.into()), problem: shown(&problem.into()) }
    }
}

/// A problem as one line of bearable length: decoders quote what is in the file, line breaks and megabytes included.
fn shown(problem: &str) -> String {
    let mut letters = problem.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut shown: String = letters.by_ref().take(PROBLEM_CHARS_MAX).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

fn known(imported: &[String]) -> String {
    if imported.is_empty() {
        "; no file has been imported yet".into()
    } else {
        format!("; imported: {}", imported.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_one_line_of_bearable_length() {
        let quoted = format!("expected </node>, found </no\n\tde {}>", "x".repeat(5_000_000));
        let message = Error::malformed_at("a.osm", "byte 7", quoted).to_string();
        assert!(message.starts_with("a.osm, byte 7: expected </node>, found </no  de xxx"), "{message}");
        assert!(message.ends_with("xxx…") && message.chars().count() < 1_100);
    }
}
