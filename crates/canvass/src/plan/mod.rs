//! Plans: how wide and how much each tier may search, what its allowances are, and who may do what.

mod permission;

pub use permission::{Actor, Permission, Refusal, Subscription};

use std::fmt;
use std::str::FromStr;

pub use places::Scope;

/// A plan's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// For trying the service.
    Free,
    /// One city at a time.
    Starter,
    /// Counties, and the API.
    Growth,
    /// States.
    Agency,
    /// Countries.
    Scale,
}

impl Tier {
    /// Every tier, smallest first.
    pub const ALL: [Tier; 5] = [Tier::Free, Tier::Starter, Tier::Growth, Tier::Agency, Tier::Scale];

    /// Its name in requests, answers and settings.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Free => "free",
            Tier::Starter => "starter",
            Tier::Growth => "growth",
            Tier::Agency => "agency",
            Tier::Scale => "scale",
        }
    }
}

/// Something bought beside the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AddOn {
    /// Opportunity scores with their reasons.
    SignalsPlus,
    /// Watching businesses for changes.
    Radar,
}

impl AddOn {
    /// Every add-on.
    pub const ALL: [AddOn; 2] = [AddOn::SignalsPlus, AddOn::Radar];

    /// Its name on the command line and in answers.
    pub fn name(self) -> &'static str {
        match self {
            AddOn::SignalsPlus => "signals_plus",
            AddOn::Radar => "radar",
        }
    }
}

/// The name is not one of the known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no {kind}; there are {}", known.join(", "))]
pub struct UnknownName {
    kind: &'static str,
    given: String,
    known: Vec<&'static str>,
}

fn by_name<T: Copy>(
    kind: &'static str,
    given: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, UnknownName> {
    let wanted = given.trim().to_lowercase().replace('-', "_");
    let found = all.iter().copied().find(|item| name(*item) == wanted);
    found.ok_or_else(|| UnknownName {
        kind,
        given: given.chars().take(GIVEN_SHOWN_MAX).collect(),
        known: all.iter().copied().map(name).collect(),
    })
}

/// Characters of an unknown name that an error repeats.
const GIVEN_SHOWN_MAX: usize = 60;

impl FromStr for Tier {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        by_name("tier", text, &Tier::ALL, Tier::name)
    }
}

impl FromStr for AddOn {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        by_name("add-on", text, &AddOn::ALL, AddOn::name)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TryFrom<String> for Tier {
    type Error = UnknownName;

    fn try_from(text: String) -> Result<Self, UnknownName> {
        text.parse()
    }
}

/// What one tier includes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Plan {
    /// Names the plan.
    pub tier: Tier,
    /// The widest search allowed.
    pub scope: Scope,
    /// The most leads one search may ask for.
    pub per_search_cap: i64,
    /// The balance is filled up to this each month.
    pub monthly_credits: i64,
    /// Whether API keys may do more than show the account.
    pub api_access: bool,
    /// AI enrichments a month.
    pub ai_enrich: i64,
    /// AI email openings a month.
    pub ai_intro: i64,
    /// Businesses that may be watched at once, with the Radar add-on.
    pub radar_cap: i64,
}

/// The five plans of this installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans([Plan; Tier::ALL.len()]);

impl Plans {
    /// The plan of a tier.
    pub fn of(&self, tier: Tier) -> &Plan {
        &self.0[tier as usize]
    }

    /// The plan of a tier, for settings that change it.
    pub fn of_mut(&mut self, tier: Tier) -> &mut Plan {
        &mut self.0[tier as usize]
    }
}

impl Default for Plans {
    fn default() -> Self {
        let plan = |tier, scope, api_access, [per_search_cap, monthly_credits, ai, radar_cap]: [i64; 4]| Plan {
            tier,
            scope,
            per_search_cap,
            monthly_credits,
            api_access,
            ai_enrich: ai,
            ai_intro: ai,
            radar_cap,
        };
        Plans([
            plan(Tier::Free, Scope::City, false, [25, 50, 5, 5]),
            plan(Tier::Starter, Scope::City, false, [100, 500, 50, 10]),
            plan(Tier::Growth, Scope::County, true, [500, 2_500, 500, 50]),
            plan(Tier::Agency, Scope::State, true, [1_000, 10_000, 2_500, 250]),
            plan(Tier::Scale, Scope::Country, true, [2_500, 50_000, 10_000, 1_000]),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tier_finds_its_own_plan() {
        let plans = Plans::default();
        for tier in Tier::ALL {
            assert_eq!(plans.of(tier).tier, tier);
        }
    }

    #[test]
    fn names_are_read_in_either_case_and_a_wrong_one_lists_the_right_ones() {
        assert_eq!("Growth".parse(), Ok(Tier::Growth));
        assert_eq!("signals-plus".parse(), Ok(AddOn::SignalsPlus));
        let error = "golden".parse::<Tier>().unwrap_err().to_string();
        assert_eq!(error, "\"golden\" is no tier; there are free, starter, growth, agency, scale");
    }
}
