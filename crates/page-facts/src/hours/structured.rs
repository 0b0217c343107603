//! Reads opening hours from structured data.

use crate::document::Document;
use crate::explain;
use crate::facts::Method;
use crate::finders::Finder;
use crate::hours::languages::Language;
use crate::hours::tokens::{Token, lex};
use crate::hours::week::Week;
use crate::hours::{BYTE_STEPS, HoursMention, LINE_STEPS, mention, mentioned};
use crate::structured::business::Structured;

/// Rules of structured data that are read.
const RULES_MAX: usize = 40;
/// Standing of structured data.
const DATA_STANDING: u8 = 3;

/// The opening hours in structured data, unless a template set them.
pub(super) fn of_data(document: &Document<'_>, data: &Structured) -> Option<HoursMention> {
    let rules = &data.business.opening_hours;
    let text: String = rules.iter().take(RULES_MAX).map(String::as_str).collect::<Vec<_>>().join("\n");
    if text.trim_matches([' ', ',', '\n']).is_empty() {
        return None;
    }
    if is_default(rules) {
        explain::refused(Finder::Hours, "hours that a template sets by default", &text);
        return None;
    }
    let mut tokens = Vec::new();
    for line in text.lines() {
        if !document.budget.spend(LINE_STEPS + BYTE_STEPS * line.len()) {
            return None;
        }
        lex(line, true, Language::default(), &mut tokens);
        tokens.push(Token::Break);
    }
    let method = data.business.evidence.as_ref().map_or(Method::JsonLd, |evidence| evidence.method);
    let method = if method == Method::OpenGraph { Method::JsonLd } else { method };
    let found = match tokens[..] {
        // `24/7`, without days.
        [Token::AllDay, Token::Break] => mentioned(&Week::always(), &text, method, DATA_STANDING),
        _ => mention(&tokens, &text, (method, DATA_STANDING), false)?,
    };
    explain::accepted(Finder::Hours, "structured data", &found.snippet);
    Some(found)
}

/// The whole week from nine to five in one rule is what a common plugin writes when nobody has entered hours.
fn is_default(rules: &[String]) -> bool {
    let [rule] = rules else { return false };
    let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    days.iter().all(|day| rule.contains(day)) && rule.ends_with("09:00-17:00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_s_default_is_no_opening_hours() {
        assert!(is_default(&["Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday 09:00-17:00".to_owned()]));
        assert!(!is_default(&["Mo-Su 09:00-17:00".to_owned()]));
    }
}
