//! What a plan and its add-ons allow, and to whom.

use super::{Plans, Tier};

/// Something that not every account, or not everyone who acts for it, may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// See the account itself: how a program finds out what its key may do.
    ShowAccount,
    /// Everything that needs no add-on.
    Api,
    /// Watch businesses and read their alerts.
    Radar,
    /// Choose leads by their opportunity score.
    Scores,
}

/// Who acts for an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A program, by an API key.
    Program,
    /// A person, by a session of the web app.
    Person,
}

/// What an account has bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Decides scope, caps, allowances and whether programs are let in.
    pub tier: Tier,
    /// The Signals+ add-on.
    pub signals_plus: bool,
    /// The Radar add-on.
    pub radar: bool,
}

/// Why something is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The plan lets no programs in.
    #[error(
        "the {tier} plan does not include API access; GET /me works, everything else needs a plan with integrations"
    )]
    NoApi {
        /// The account's tier.
        tier: Tier,
    },
    /// The account lacks the Radar add-on.
    #[error("watching businesses needs the Radar add-on, which this account does not have")]
    NoRadar,
    /// The account lacks the Signals+ add-on.
    #[error("min_score needs the Signals+ add-on, which this account does not have; leave it out")]
    NoSignalsPlus,
}

impl Plans {
    /// Whether an account with this subscription allows `actor` to do something. People may use the web app on every
    /// plan; programs need one with API access for everything but seeing the account.
    pub fn allows(&self, subscription: Subscription, actor: Actor, permission: Permission) -> Result<(), Refusal> {
        let Subscription { tier, signals_plus, radar } = subscription;
        if permission == Permission::ShowAccount {
            return Ok(());
        }
        if actor == Actor::Program && !self.of(tier).api_access {
            return Err(Refusal::NoApi { tier });
        }
        match permission {
            Permission::Radar if !radar => Err(Refusal::NoRadar),
            Permission::Scores if !signals_plus => Err(Refusal::NoSignalsPlus),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_need_a_plan_with_api_access_and_people_do_not() {
        let plans = Plans::default();
        for tier in Tier::ALL {
            let bought = Subscription { tier, signals_plus: false, radar: false };
            let let_in = [Tier::Growth, Tier::Agency, Tier::Scale].contains(&tier);
            assert_eq!(plans.allows(bought, Actor::Program, Permission::Api).is_ok(), let_in, "{tier}");
            assert_eq!(plans.allows(bought, Actor::Person, Permission::Api), Ok(()));
            assert_eq!(plans.allows(bought, Actor::Program, Permission::ShowAccount), Ok(()));
        }
    }

    #[test]
    fn an_add_on_is_needed_by_everyone_and_replaces_no_plan() {
        let plans = Plans::default();
        let without = Subscription { tier: Tier::Growth, signals_plus: false, radar: false };
        let with = Subscription { tier: Tier::Free, signals_plus: true, radar: true };
        for (permission, refusal) in
            [(Permission::Radar, Refusal::NoRadar), (Permission::Scores, Refusal::NoSignalsPlus)]
        {
            for actor in [Actor::Program, Actor::Person] {
                assert_eq!(plans.allows(without, actor, permission), Err(refusal));
            }
            assert_eq!(plans.allows(with, Actor::Person, permission), Ok(()));
            let no_api = Refusal::NoApi { tier: Tier::Free };
            assert_eq!(plans.allows(with, Actor::Program, permission), Err(no_api));
        }
    }
}
