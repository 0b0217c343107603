//! The setting `source`: one or several names of sources.

use std::fmt;

use place_data::library::ImportName;

/// The source that is always there.
const SANDBOX: &str = "sandbox";
/// Releases of Overture Maps.
const OVERTURE: &str = "overture";
/// OpenStreetMap, asked live.
const OVERPASS: &str = "overpass";
/// Google's Places API, asked live.
const GOOGLE: &str = "google";
/// Every source of place data, without those that are asked live.
const ALL: &str = "all";

/// Where listings come from: names in the operator's order of preference, none twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceNames(Vec<String>);

impl SourceNames {
    /// The sandbox.
    pub fn sandbox() -> SourceNames {
        SourceNames(vec![SANDBOX.to_owned()])
    }

    /// Reads a list such as `overture, osm`.
    pub fn parse(value: &str) -> Result<SourceNames, String> {
        let mut names: Vec<String> = Vec::new();
        for name in value.split(',').map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()) {
            if !is_name(&name) {
                return Err(
                    "must be sandbox, overture, overpass, google, all, or names of imports, separated by commas"
                        .to_owned(),
                );
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let alone = names.iter().find(|name| [SANDBOX, ALL].contains(&name.as_str()));
        match alone {
            None if names.is_empty() => Err("must name at least one source, such as sandbox or overture".to_owned()),
            Some(alone) if names.len() > 1 => Err(format!("cannot name other sources beside {alone}")),
            _ => Ok(SourceNames(names)),
        }
    }

    /// Whether it is the sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.0 == [SANDBOX]
    }

    /// Whether it is every set of place data there is.
    pub fn is_all(&self) -> bool {
        self.0 == [ALL]
    }

    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for SourceNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

fn is_name(name: &str) -> bool {
    [SANDBOX, OVERTURE, OVERPASS, GOOGLE, ALL].contains(&name) || ImportName::parse(name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_names_is_read_in_order() {
        let read = |value: &str| SourceNames::parse(value).map(|names| names.to_string());
        assert_eq!(read("sandbox").unwrap(), "sandbox");
        assert_eq!(read(" Overture, osm,,overture ").unwrap(), "overture,osm");
        assert_eq!(read("all").unwrap(), "all");
        assert_eq!(read("google,overture,overpass").unwrap(), "google,overture,overpass");
        for wrong in ["", ",", "sandbox,overture", "osm,all", "open street map", "../osm", &"a".repeat(41)] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
