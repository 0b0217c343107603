//! The opportunity score: a sum of rules, each of which is a reason.

use super::known::Known;
use super::rules::Weights;
use super::{Reason, SCORE_MAX};

/// A score with its reasons, the heaviest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// 0 to 100.
    pub points: i64,
    /// The rules that hold, heaviest first.
    pub reasons: Vec<Reason>,
}

/// Adds up the rules that hold.
pub fn score(known: &Known<'_>, weights: &Weights) -> Score {
    let mut reasons: Vec<Reason> = Vec::new();
    for (rule, points) in weights.iter().filter(|(_, points)| *points != 0) {
        if let Some(reason) = (rule.look)(known) {
            reasons.push(Reason { key: rule.key.to_owned(), reason, points });
        }
    }
    reasons.sort_by_key(|reason| -reason.points.abs());
    let sum: i64 = reasons.iter().map(|reason| reason.points).sum();
    Score { points: sum.clamp(0, SCORE_MAX), reasons }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::rules::RULES;
    use crate::signals::{Basic, Site};

    fn known<'a>(basic: &'a Basic, site: &'a Site) -> Known<'a> {
        Known {
            basic,
            site,
            group: "food",
            rating: Some(4.2),
            review_count: Some(60),
            has_email: false,
            has_owner: false,
            has_phone: false,
            is_chain: false,
            year: 2026,
        }
    }

    fn keys(score: &Score) -> Vec<&str> {
        score.reasons.iter().map(|reason| reason.key.as_str()).collect()
    }

    fn status(status: &str) -> Site {
        Site { status: status.into(), ..Site::default() }
    }

    #[test]
    fn what_could_not_be_read_is_not_held_against_anyone() {
        let (basic, site) = (Basic { has_website: true, ..Basic::default() }, status("blocked"));
        let score = score(&known(&basic, &site), &Weights::default());
        assert_eq!((score.points, keys(&score)), (0, vec![]));
    }

    #[test]
    fn a_score_is_the_sum_of_its_reasons_within_its_range() {
        let (basic, site) = (Basic::default(), status("none"));
        let chain = Known { is_chain: true, ..known(&basic, &site) };
        let low = score(&chain, &Weights::default());
        assert_eq!((low.points, keys(&low)), (25, vec!["no_website", "chain"]));
        let mut weights = Weights::default();
        assert!(weights.set("no_website", 100) && weights.set("phone_known", 50) && !weights.set("nonsense", 1));
        let high = score(&Known { has_phone: true, ..known(&basic, &site) }, &weights);
        assert_eq!((high.points, high.reasons.iter().map(|reason| reason.points).sum::<i64>()), (100, 150));
    }

    #[test]
    fn a_restaurant_that_takes_no_orders_online_is_told_so() {
        let basic = Basic {
            detected: true,
            has_website: true,
            platform: Some("wordpress".into()),
            has_ad_pixel: Some(true),
            has_analytics: Some(false),
            chat: Some("tawk".into()),
            ..Basic::default()
        };
        let site = Site { platform_version: Some("4.9".into()), copyright_year: Some(2019), ..status("ok") };
        let score = score(&known(&basic, &site), &Weights::default());
        let expected =
            ["no_online_ordering", "ads_without_analytics", "dated_platform", "no_analytics", "stale_website"];
        assert_eq!(keys(&score), expected);
    }

    #[test]
    fn the_document_lists_every_rule_with_its_points() {
        let document = include_str!("../../../../docs/score.md");
        for rule in RULES {
            let line = format!("| `{}` | {} |", rule.key, rule.points);
            assert!(document.contains(&line), "docs/score.md has no line {line}");
        }
        assert_eq!(document.matches("\n| `").count(), RULES.len(), "docs/score.md lists a rule there is not");
    }
}
