//! Recognises job titles and ranks how likely each is to mean the owner.

use crate::word_set::WordSet;

/// Words that make a short phrase a title.
static TITLE_WORDS: WordSet = WordSet::new(
    "owner founder cofounder founding proprietor proprietress president vp svp evp ceo cfo coo cto cmo cio
     chro ciso cro cpo chief chairman chairwoman chairperson chair director manager managing principal
     partner executive administrator supervisor superintendent coordinator foreman estimator attorney lawyer
     paralegal counsel dentist orthodontist hygienist endodontist periodontist physician surgeon doctor
     veterinarian chiropractor optometrist nurse therapist psychologist psychiatrist counselor dermatologist
     pediatrician accountant bookkeeper advisor adviser consultant broker realtor agent architect designer
     engineer developer photographer stylist esthetician aesthetician barber chef baker sommelier instructor
     trainer coach teacher tutor professor lecturer dean technician electrician plumber mechanic specialist
     analyst strategist associate assistant secretary treasurer receptionist editor writer producer artist
     curator pastor minister representative planner recruiter scientist researcher lead member registrar
     inhaber inhaberin geschäftsführer geschäftsführerin gründer gründerin leiter leiterin rechtsanwalt
     rechtsanwältin zahnarzt zahnärztin gérant gérante fondateur fondatrice directeur directrice propietario
     propietaria dueño dueña fundador fundadora titolare fondatore direttore eigenaar oprichter proprietário
     sócio propriétaire proprietária titular inspector commissioner mayor clerk officer historian author practitioner pharmacist midwife doula
     groomer handyman contractor operator host winemaker brewer distiller librarian operations",
);

/// Titles of owners with their rank, most reliable first.
const OWNERS: &[(&str, u8)] = &[
    ("owner", 9),
    ("proprietor", 9),
    ("inhaber", 9),
    ("gérant", 8),
    ("propietari", 9),
    ("dueñ", 9),
    ("titolare", 9),
    ("eigenaar", 9),
    ("proprietário", 9),
    ("propriétaire", 9),
    ("founder", 8),
    ("founding", 7),
    ("gründer", 8),
    ("fondat", 8),
    ("fundador", 8),
    ("oprichter", 8),
    ("ceo", 7),
    ("chief executive", 7),
    ("geschäftsführer", 7),
    ("president", 6),
    ("managing partner", 6),
    ("managing director", 6),
    ("managing member", 6),
    ("principal", 5),
];

/// Whether a line has the length of a title.
pub(crate) fn may_be_title(text: &str) -> bool {
    (3..=90).contains(&text.trim().len())
}

/// Whether a short line is a title and nothing else.
pub(crate) fn is_title(text: &str) -> bool {
    let text = text.trim();
    if !may_be_title(text) {
        return false;
    }
    let words = text.split_whitespace().count();
    if words > 11
        || text.ends_with(['.', '!', '?', ':', '…', '”', '"']) && !text.ends_with("Inc.") && !text.ends_with("Sr.")
        || text.contains(['@', '$', '“', '%', '©', '→', '"'])
    {
        return false;
    }
    let starts_well = text.chars().next().is_some_and(|c| c.is_uppercase() || words <= 3);
    starts_well && !has_sentence_words(text) && names_a_title(text)
}

/// Words of sentences and buttons that titles do not contain.
static SENTENCE_WORDS: WordSet = WordSet::new(
    "is are was were has have our your you we i will can contact call find meet view read learn become hire how what why who that this these get their his her my request apply search book schedule login free jobs job careers certified certification course courses degree salary review reviews says said by about browse download program programs best with an posts",
);

fn has_sentence_words(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').any(|word| SENTENCE_WORDS.contains(word))
}

fn names_a_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut before_was_head = false;
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
        let is_head_of = before_was_head && word == "of";
        before_was_head = word == "head";
        is_head_of || TITLE_WORDS.contains(word)
    })
}

/// Whether a word, given in lower case, occurs in titles.
pub(crate) fn is_title_word(word: &str) -> bool {
    TITLE_WORDS.contains(word)
}

/// How likely a title means the owner; 0 when it does not.
pub(crate) fn owner_rank(title: &str) -> u8 {
    let lower = title.to_lowercase();
    // Vice presidents, product owners and assistants to the owner are not owners.
    if [
        "vice",
        "assistant",
        "product owner",
        "process owner",
        "former",
        "ex-",
        "past ",
        "homeowner",
        "business owner",
        "franchise owner",
        "principal engineer",
        "principal consultant",
        "principal software",
        "principal analyst",
        "principal product",
        "school principal",
        "assistant principal",
        "account",
        "regional",
        "svp",
        "evp",
    ]
    .iter()
    .any(|word| lower.contains(word))
    {
        return 0;
    }
    // `co-owner`, `co-founder` and the like rank just below the plain word.
    let rank =
        OWNERS.iter().filter(|(word, _)| contains_word_start(&lower, word)).map(|(_, rank)| *rank).max().unwrap_or(0);
    // "Managing Director, Mergers" runs a department; an owner's title is short.
    if rank < 7 && lower.split_whitespace().count() > 3 {
        return 0;
    }
    rank * 2 - u8::from(rank > 0 && lower.contains("co-"))
}

fn contains_word_start(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_distinguished_from_other_lines() {
        for title in [
            "Owner",
            "Founder & CEO",
            "Vice President, Sales",
            "Office Manager",
            "Attorney at Law",
            "Co-Founder",
            "Senior Project Manager",
            "Inhaberin",
            "Head of Marketing",
            "Lead Instructor",
            "Partner",
        ] {
            assert!(is_title(title), "{title}");
        }
        for text in [
            "Contact our manager",
            "Meet the owner",
            "We are hiring a manager.",
            "Plumbing",
            "Project manager jobs",
            "Read more",
            "",
            "Find a dentist",
            "5 stars from the owner of a house who was happy",
        ] {
            assert!(!is_title(text), "{text}");
        }
    }

    #[test]
    fn owners_are_ranked() {
        assert!(owner_rank("Owner") > owner_rank("Co-Owner"));
        assert!(owner_rank("Co-Owner") > owner_rank("Founder"));
        assert!(owner_rank("Founder") > owner_rank("CEO"));
        assert!(owner_rank("CEO") > owner_rank("President"));
        for title in
            ["Vice President", "Assistant to the Owner", "Product Owner", "Sales Manager", "Small Business Owner"]
        {
            assert_eq!(owner_rank(title), 0, "{title}");
        }
    }
}
