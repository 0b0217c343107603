//! Whether street addresses can be located: each geocoder answers.

use std::time::Duration;

use map_providers::PlainGateway;

use super::Check;
use crate::config::Settings;
use crate::geocode;
use crate::listing::sources::live::user_agent;

const NAME: &str = "geocoder";
/// The geocoder that needs the sandbox's world, which is not set up here, and nothing else.
const SANDBOX: &str = "sandbox";
/// A public server may be slow.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(20);

pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    let gateway = match PlainGateway::new(&user_agent(settings)) {
        Ok(gateway) => gateway,
        Err(error) => return vec![Check::fail(NAME, error.to_string(), "check the certificates of this machine")],
    };
    let mut checks = Vec::new();
    for (name, made) in geocode::each(settings) {
        if name == SANDBOX && settings.source.is_sandbox() {
            checks.push(Check::ok(NAME, "street addresses are those of the sandbox"));
            continue;
        }
        let fix = format!("correct its settings, or leave {name} out of CANVASS_GEOCODERS");
        checks.push(match made {
            Err(problem) => Check::warn(NAME, format!("{name}: {problem}"), fix),
            Ok(geocoder) => match tokio::time::timeout(ANSWER_TIME_MAX, geocoder.check(&gateway)).await {
                Ok(Ok(says)) => Check::ok(NAME, format!("{name}: {says}")),
                Ok(Err(problem)) => Check::warn(NAME, format!("{name}: {problem}"), fix),
                Err(_) => Check::warn(NAME, format!("{name} does not answer in time"), fix),
            },
        });
    }
    if checks.is_empty() {
        let says = "none: a circle around a street address is drawn around its ZIP code or town";
        checks.push(Check::ok(NAME, says));
    }
    checks
}
