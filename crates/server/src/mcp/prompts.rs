//! Prompts that start a conversation for the user.

use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use crate::log::holds_secret;

/// Characters of an argument at most.
const ARGUMENT_CHARS_MAX: usize = 300;

/// A prompt.
struct PromptTemplate {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    /// `{name}` is replaced by the argument of that name.
    text: &'static str,
}

struct Argument {
    name: &'static str,
    description: &'static str,
    /// The value when it is left out; none when it is required.
    otherwise: Option<&'static str>,
}

const PROMPTS: [PromptTemplate; 3] = [
    PromptTemplate {
        name: "find_leads",
        title: "Find leads",
        description: "Find businesses of a kind in a place, and show the best of them.",
        arguments: &[
            Argument { name: "industry", description: "Kind of business, e.g. dentist.", otherwise: None },
            Argument { name: "location", description: "Where, e.g. Austin, TX.", otherwise: None },
            Argument { name: "count", description: "How many; 25 when left out.", otherwise: Some("25") },
        ],
        text: "Find {count} leads for me. Industry: {industry}. Location: {location}.\n\nCheck my credits with \
               get_account first and tell me what this may cost; ask me before starting a search for more than 50. Then \
               start_search, wait_for_search until it has ended, and get_leads. Show a table with name, phone, e-mail, \
               owner and website, the most promising first, and say in a sentence what was left out and why.",
    },
    PromptTemplate {
        name: "prepare_outreach",
        title: "Prepare outreach",
        description: "From a finished search: find the owners, pick the best leads, write an opening for each.",
        arguments: &[
            Argument { name: "search_id", description: "The search, from list_searches.", otherwise: None },
            Argument { name: "count", description: "Openings to write; 5 when left out.", otherwise: Some("5") },
        ],
        text: "Prepare outreach for the leads of search {search_id}.\n\nTell me how much of the AI allowance enriching \
               them takes and ask me before you do it; then enrich_leads, and get_leads sorted by score. Pick the {count} \
               best with an e-mail, and write_intro for each. Show each opening under the business's name with its \
               e-mail and the reason you picked it. Send nothing: I check every text myself. At the end offer \
               export_leads for my CRM.",
    },
    PromptTemplate {
        name: "review_radar",
        title: "Review Radar",
        description: "What changed at the businesses that are watched, and whom to write to because of it.",
        arguments: &[Argument {
            name: "since",
            description: "ISO 8601 time with its offset; the newest changes when left out.",
            otherwise: Some("not given: show the newest"),
        }],
        text: "Review my Radar with list_radar (since: {since}).\n\nFor each alert say in a sentence what changed and \
               what it means for someone who sells to that business, the most useful first. Name the businesses worth \
               writing to now, and offer write_intro for them.",
    },
];

/// Every prompt as assistants see it.
pub(super) fn all() -> Vec<Prompt> {
    PROMPTS.iter().map(PromptTemplate::described).collect()
}

/// A prompt with its arguments filled in.
pub(super) fn fill(name: &str, given: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let Some(opening) = PROMPTS.iter().find(|opening| opening.name == name) else {
        let names = PROMPTS.map(|opening| opening.name).join(", ");
        return Err(ErrorData::invalid_params(format!("there is no such prompt; there are {names}"), None));
    };
    let mut text = opening.text.to_owned();
    for argument in opening.arguments {
        text = text.replace(&format!("{{{}}}", argument.name), &argument.read(given)?);
    }
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(opening.description))
}

impl PromptTemplate {
    fn described(&self) -> Prompt {
        let arguments = self.arguments.iter().map(Argument::described).collect();
        Prompt::new(self.name, Some(self.description), Some(arguments)).with_title(self.title)
    }
}

impl Argument {
    fn described(&self) -> PromptArgument {
        PromptArgument::new(self.name).with_description(self.description).with_required(self.otherwise.is_none())
    }

    fn read(&self, given: &JsonObject) -> Result<String, ErrorData> {
        let wrong = |why: String| Err(ErrorData::invalid_params(format!("{} {why}", self.name), None));
        let text = match given.get(self.name) {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text.trim(),
            Some(_) => return wrong("must be text".into()),
        };
        match self.otherwise {
            _ if text.chars().count() > ARGUMENT_CHARS_MAX || text.chars().any(char::is_control) => {
                wrong(format!("must have at most {ARGUMENT_CHARS_MAX} characters on one line"))
            }
            _ if holds_secret(text) => wrong("holds an API key, which belongs in the connector's address only".into()),
            None if text.is_empty() => wrong(format!("is missing: {}", self.description)),
            Some(otherwise) if text.is_empty() => Ok(otherwise.to_owned()),
            _ => Ok(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(name: &str, given: Value) -> Result<String, String> {
        let Value::Object(given) = given else { panic!("an object") };
        let message = fill(name, &given).map_err(|error| error.message.into_owned())?;
        Ok(serde_json::to_value(message).unwrap()["messages"][0]["content"]["text"].as_str().unwrap().to_owned())
    }

    #[test]
    fn every_argument_has_its_place_in_the_text() {
        for opening in &PROMPTS {
            for argument in opening.arguments {
                assert!(opening.text.contains(&format!("{{{}}}", argument.name)), "{}", opening.name);
            }
            let places = opening.text.matches('{').count();
            assert_eq!(places, opening.arguments.len(), "{}", opening.name);
        }
    }

    #[test]
    fn what_is_left_out_is_filled_in_or_asked_for() {
        let text = filled("find_leads", json!({"industry": "dentist", "location": "Austin, TX"})).unwrap();
        assert!(text.starts_with("Find 25 leads for me. Industry: dentist. Location: Austin, TX."), "{text}");
        assert_eq!(
            filled("find_leads", json!({"industry": "dentist"})),
            Err("location is missing: Where, e.g. Austin, TX.".into())
        );
        assert!(filled("find_leads", json!({"industry": 5})).unwrap_err().contains("must be text"));
        assert!(filled("find_leads", json!({"industry": "a\nb"})).unwrap_err().contains("on one line"));
        assert!(filled("nothing", json!({})).unwrap_err().contains("find_leads, prepare_outreach, review_radar"));
    }
}
