//! The `[score]` table of the settings file.

use std::path::Path;

use super::{Given, Origin, SettingError, nearest};
use crate::signals::Weights;
use crate::signals::rules::RULES;

pub(super) fn weights(given: &Given) -> Result<Weights, SettingError> {
    let mut weights = Weights::default();
    let Some((value, path)) = given.score() else { return Ok(weights) };
    let rules = value.as_table().ok_or_else(|| bad(path, "needs a line for each rule, such as chain = 0".into()))?;
    for (key, points) in rules {
        let range = -Weights::POINTS_MAX..=Weights::POINTS_MAX;
        let points = points
            .as_integer()
            .filter(|points| range.contains(points))
            .ok_or_else(|| bad(path, format!("has a fault: {key} must be a whole number from -100 to 100")))?;
        if !weights.set(key, points) {
            let meant = nearest(key, RULES.iter().map(|rule| rule.key));
            let meant = meant.map(|key| format!(" (did you mean {key}?)")).unwrap_or_default();
            return Err(bad(path, format!("has a fault: {key} is no rule{meant}")));
        }
    }
    Ok(weights)
}

fn bad(path: &Path, why: String) -> SettingError {
    SettingError::Bad { name: "score", origin: Origin::File(path.into()), why }
}
