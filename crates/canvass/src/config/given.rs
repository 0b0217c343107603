//! Collects the raw value of each setting, and where it comes from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{FILE_VARIABLE, Origin, SETTINGS, Setting, SettingError, VARIABLE_PREFIX, nearest};

/// Raw values of the settings; for each the one with the highest precedence.
#[derive(Clone, Debug, Default)]
pub struct Given {
    values: BTreeMap<&'static str, (String, Origin)>,
    plans: Option<(toml::Value, PathBuf)>,
    score: Option<(toml::Value, PathBuf)>,
}

impl Given {
    /// Adds flags as `(setting name, value)`. Sources are added in order of precedence: a value already set stays.
    pub fn add_flags<'a>(&mut self, flags: impl IntoIterator<Item = (&'a str, String)>) -> Result<(), SettingError> {
        for (name, value) in flags {
            let setting = known(name, &format!("--{name}"))?;
            self.add(setting, value, Origin::Flag(setting.flag()));
        }
        Ok(())
    }

    /// Adds those of these variables that begin with `CANVASS_`. An empty one counts as not set.
    pub fn add_variables(&mut self, variables: impl IntoIterator<Item = (String, String)>) -> Result<(), SettingError> {
        for (variable, value) in variables {
            let Some(name) = variable.strip_prefix(VARIABLE_PREFIX) else { continue };
            if variable == FILE_VARIABLE || value.is_empty() {
                continue;
            }
            let setting = known(&name.to_lowercase(), &variable)?;
            self.add(setting, value, Origin::Variable(variable));
        }
        Ok(())
    }

    /// Adds the lines of a settings file.
    pub fn add_file(&mut self, path: &Path, text: &str) -> Result<(), SettingError> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| SettingError::File { path: path.into(), why: error.to_string() })?;
        for (name, value) in table {
            let section = match name.as_str() {
                "plans" => Some(&mut self.plans),
                "score" => Some(&mut self.score),
                _ => None,
            };
            if let Some(section) = section {
                section.get_or_insert((value, path.into()));
                continue;
            }
            let setting = known(&name, &format!("{name} in {}", path.display()))?;
            let value = as_text(setting, &value, path)?;
            self.add(setting, value, Origin::File(path.into()));
        }
        Ok(())
    }

    /// The value of a setting, `None` when it is not set, and where it comes from.
    pub fn get(&self, name: &'static str) -> (Option<&str>, Origin) {
        if let Some((value, origin)) = self.values.get(name) {
            return (Some(value.as_str()).filter(|value| !value.is_empty()), origin.clone());
        }
        let default = SETTINGS.iter().find(|setting| setting.name == name).map_or("", |setting| setting.default);
        (Some(default).filter(|value| !value.is_empty()), Origin::Default)
    }

    pub(super) fn plans(&self) -> Option<(&toml::Value, &Path)> {
        self.plans.as_ref().map(|(value, path)| (value, path.as_path()))
    }

    pub(super) fn score(&self) -> Option<(&toml::Value, &Path)> {
        self.score.as_ref().map(|(value, path)| (value, path.as_path()))
    }

    fn add(&mut self, setting: &'static Setting, value: String, origin: Origin) {
        self.values.entry(setting.name).or_insert((value.trim().to_owned(), origin));
    }
}

fn known(name: &str, said: &str) -> Result<&'static Setting, SettingError> {
    SETTINGS.iter().find(|setting| setting.name == name).ok_or_else(|| SettingError::Unknown {
        said: said.to_owned(),
        nearest: nearest(name, SETTINGS.iter().map(|setting| setting.name).chain(["plans", "score"])),
    })
}

fn as_text(setting: &Setting, value: &toml::Value, path: &Path) -> Result<String, SettingError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Boolean(yes) => Ok(yes.to_string()),
        other => Err(SettingError::Bad {
            name: setting.name,
            origin: Origin::File(path.into()),
            why: format!("takes a single value, not {}", other.type_str()),
        }),
    }
}
