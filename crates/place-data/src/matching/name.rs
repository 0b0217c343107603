//! Compares names of businesses: word order, legal forms, abbreviations and typos matter little, rare words matter most.

use super::edits;
use super::fold::{WORDS_MAX, is_latin, words};
use super::words::{WordKind, kind, standard};

/// Weight of a word that tells businesses apart, by its letters: two, three or four, more.
const DISTINCTIVE_WEIGHTS: [f32; 3] = [0.6, 0.8, 1.0];
/// Weight from which on a word tells businesses apart.
const DISTINCTIVE_MIN: f32 = 0.45;
/// Weight of numbers, of words such as "bakery" or "north", of single letters, and of the town's own name.
const NUMBER_WEIGHT: f32 = 0.5;
const GENERIC_WEIGHT: f32 = 0.3;
const LETTER_WEIGHT: f32 = 0.25;
/// Weight of a trade that only one name mentions, when both places are of that trade.
const KNOWN_TRADE_WEIGHT: f32 = 0.12;
const TOWN_WEIGHT: f32 = 0.2;
/// Similarity of two words from which on they count as the same word.
const WORD_SIMILARITY_MIN: f32 = 0.75;
/// Similarity of an abbreviation and its word, and of an initial and its word.
const ABBREVIATION_SIMILARITY: f32 = 0.85;
/// Letters that words with different first letters need, and similarity of whole names that makes up for different words.
const FIRST_LETTER_LETTERS_MIN: usize = 7;
const WHOLE_SIMILARITY_MIN: f32 = 0.82;
/// Letters from which on one typo in the whole name is forgiven wherever it is.
const WHOLE_LETTERS_MIN: usize = 5;
/// Similarity that the only words need by which two names differ, to be one word misspelt.
const ONLY_WORD_SIMILARITY_MIN: f32 = 0.6;
/// Similarity of names of which one is the initials of the other.
const INITIALS_SIMILARITY: f32 = 0.85;
/// Similarity of words of three letters of which two are swapped.
const SWAPPED_SIMILARITY: f32 = 0.8;

/// A name, prepared for comparison.
#[derive(Clone, Debug)]
pub(super) struct NameProfile {
    words: Vec<NameWord>,
    /// All words that say something, without spaces.
    squeezed: String,
    /// The words that tell businesses apart, without spaces.
    distinctive: String,
    /// First letters of all words but articles and legal forms.
    initials: String,
    /// Hashed pairs of letters of the words that tell businesses apart.
    pub(super) signature: u128,
    pub(super) latin: bool,
    /// Whether the name has a title or a degree.
    pub(super) person: bool,
}

#[derive(Clone, Debug)]
struct NameWord {
    text: String,
    weight: f32,
    kind: Option<WordKind>,
}

/// What is known about two places besides their names.
pub(super) struct NameContext<'a> {
    /// Words of the towns' names, which say little about the business.
    pub(super) towns: [&'a [String]; 2],
    /// Words of the streets' names, which sources add to the names of branches.
    pub(super) streets: [&'a [String]; 2],
    /// Whether both are of the same trade, so that it does not matter how the names call it.
    pub(super) same_trade: bool,
}

/// What two names have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NameComparison {
    /// 0 for names with nothing in common, 1 for the same name.
    pub(super) similarity: f32,
    /// Weight of what they share; below 1 even equal names say little.
    pub(super) specificity: f32,
    /// Weight of the words that tell businesses apart and that only one name has, of the name that has fewer of them.
    pub(super) conflict: f32,
    /// Weight of all words that only one name has, of the name that has fewer of them.
    pub(super) apart: f32,
    /// Both names are numbered, or name a branch, and differently.
    pub(super) other_branch: bool,
}

impl NameProfile {
    /// Prepares a name. `None` when nothing of it can be compared.
    pub(super) fn new(name: &str, towns: &[String]) -> Option<NameProfile> {
        let all = words(name);
        let mut kept: Vec<NameWord> = Vec::with_capacity(all.len());
        let (mut squeezed, mut distinctive) = (String::new(), String::new());
        let mut person = false;
        let mut initials = String::new();
        for word in &all {
            let text = standard(word);
            let kind = kind(&text);
            person |= kind == Some(WordKind::Title);
            if matches!(kind, None | Some(WordKind::Generic | WordKind::Branch)) {
                initials.extend(word.chars().take(1));
                squeezed.push_str(word);
                let weight = if towns.contains(&text) { TOWN_WEIGHT } else { weight(&text, kind) };
                if weight >= DISTINCTIVE_MIN {
                    distinctive.push_str(&text);
                }
                kept.push(NameWord { text, weight, kind });
            }
        }
        if kept.is_empty() {
            kept =
                all.iter().map(|word| NameWord { text: standard(word), weight: GENERIC_WEIGHT, kind: None }).collect();
        }
        if squeezed.is_empty() {
            squeezed = all.concat();
        }
        kept.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        (!kept.is_empty()).then(|| NameProfile {
            signature: signature(&kept),
            latin: is_latin(name),
            words: kept,
            squeezed,
            distinctive,
            initials,
            person,
        })
    }

    /// The words that name a trade, such as "bakery".
    pub(super) fn trade_words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| word.kind == Some(WordKind::Generic)).map(|word| word.text.as_str())
    }

    /// What this name and another have in common.
    pub(super) fn compare(&self, other: &NameProfile, context: &NameContext<'_>) -> NameComparison {
        let weigh = |word: &NameWord| {
            let town = context.towns.iter().any(|town| town.contains(&word.text));
            if town { word.weight.min(TOWN_WEIGHT) } else { word.weight }
        };
        let weigh_unmatched = |word: &NameWord| {
            let trade = context.same_trade && word.kind == Some(WordKind::Generic);
            if trade { weigh(word).min(KNOWN_TRADE_WEIGHT) } else { weigh(word) }
        };
        let in_street = |word: &NameWord| context.streets.iter().any(|street| street.contains(&word.text));
        let mut matched = Matched::default();
        let mut taken = [false; WORDS_MAX];
        for word in &self.words {
            match best(word, &other.words, &taken) {
                Some((at, similarity)) => {
                    taken[at] = true;
                    matched.share(weigh(word).min(weigh(&other.words[at])), similarity);
                }
                None => matched.left.add(word, weigh_unmatched(word), in_street(word)),
            }
        }
        for (word, _) in other.words.iter().zip(taken).filter(|(_, taken)| !taken) {
            matched.right.add(word, weigh_unmatched(word), in_street(word));
        }
        matched.excuse_streets();
        let mut comparison = matched.comparison();
        let other_word = match (matched.left.only.take(), matched.right.only.take()) {
            (Some(one), Some(other)) => edits::similarity(&one, &other) < ONLY_WORD_SIMILARITY_MIN,
            _ => false,
        };
        if !other_word {
            self.compare_whole(other, &mut comparison);
        }
        comparison
    }

    /// Whether the names differ by typos in short words or across spaces. Trade words count for little: they make names similar
    /// that are not.
    fn is_misspelt(&self, other: &NameProfile) -> bool {
        if !is_alike(self.signature, other.signature) {
            return false;
        }
        let letters = self.telling().len().min(other.telling().len());
        // Typos in the first letter are rare: "Vance" and "Lance" are two.
        if letters < FIRST_LETTER_LETTERS_MIN && self.telling().as_bytes().first() != other.telling().as_bytes().first()
        {
            return false;
        }
        if letters >= WHOLE_LETTERS_MIN && edits::distance(&self.squeezed, &other.squeezed) <= 1 {
            return true;
        }
        edits::similarity(self.telling(), other.telling()) >= WHOLE_SIMILARITY_MIN
            && edits::similarity(&self.squeezed, &other.squeezed) >= WHOLE_SIMILARITY_MIN
    }

    /// The words that tell businesses apart, or all words if none does.
    fn telling(&self) -> &str {
        if self.distinctive.is_empty() { &self.squeezed } else { &self.distinctive }
    }

    /// Recognises names that are the same without their spaces, or of which one is the initials of the other.
    fn compare_whole(&self, other: &NameProfile, comparison: &mut NameComparison) {
        let (short, long) = if self.squeezed.len() < other.squeezed.len() { (self, other) } else { (other, self) };
        if self.squeezed == other.squeezed {
            comparison.similarity = 1.0;
            comparison.conflict = 0.0;
            return;
        }
        if self.is_misspelt(other) && !(self.person || other.person) && !comparison.other_branch {
            comparison.similarity = comparison.similarity.max(edits::similarity(&self.squeezed, &other.squeezed));
            comparison.conflict = 0.0;
            comparison.specificity = comparison.specificity.max(0.8);
        }
        let abbreviated = short.squeezed.len() >= 3 && short.words.len() <= 2 && short.squeezed == long.initials;
        if abbreviated {
            comparison.similarity = comparison.similarity.max(INITIALS_SIMILARITY);
            comparison.conflict = 0.0;
            comparison.specificity = comparison.specificity.max(0.8);
        }
    }
}

fn weight(word: &str, kind: Option<WordKind>) -> f32 {
    if kind.is_some() {
        GENERIC_WEIGHT
    } else if is_number(word) {
        NUMBER_WEIGHT
    } else {
        match word.len() {
            1 => LETTER_WEIGHT,
            2 => DISTINCTIVE_WEIGHTS[0],
            3 | 4 => DISTINCTIVE_WEIGHTS[1],
            _ => DISTINCTIVE_WEIGHTS[2],
        }
    }
}

/// Words of one name that the other lacks.
#[derive(Default)]
struct Unmatched {
    weight: f32,
    distinctive: f32,
    /// The same without what is known of the places.
    plain: f32,
    /// What words of a street weigh beyond that of a town.
    street: f32,
    /// The only word, if there is one.
    only: Option<String>,
    numbered: bool,
}

impl Unmatched {
    fn add(&mut self, word: &NameWord, weight: f32, in_street: bool) {
        self.only = (self.plain == 0.0).then(|| word.text.clone());
        self.plain += word.weight;
        self.weight += weight;
        if weight >= DISTINCTIVE_MIN {
            self.distinctive += weight;
            self.street += if in_street { weight - TOWN_WEIGHT } else { 0.0 };
        }
        self.numbered |= word.kind == Some(WordKind::Branch) || is_number(&word.text);
    }
}

#[derive(Default)]
struct Matched {
    /// Weight of the shared words, and the same reduced by their differences in spelling.
    weight: f32,
    agreement: f32,
    left: Unmatched,
    right: Unmatched,
}

impl Matched {
    fn share(&mut self, weight: f32, similarity: f32) {
        self.weight += weight;
        self.agreement += weight * similarity;
    }

    /// A street that only one name has, and the other nothing instead, is where the place is: "Pruitt Bank Main Street".
    fn excuse_streets(&mut self) {
        let (left, right) = (&mut self.left, &mut self.right);
        if right.distinctive == 0.0 {
            left.weight -= left.street;
        }
        if left.distinctive == 0.0 {
            right.weight -= right.street;
        }
    }

    fn comparison(&self) -> NameComparison {
        let (left, right) = (self.left.weight, self.right.weight);
        let whole = self.weight + left + right;
        // Twice, because a name that has something of its own is not contained in the other.
        let smaller = self.weight + 2.0 * left.min(right);
        let ratio = |of: f32| if of > 0.0 { self.agreement / of } else { 0.0 };
        // A name contained in the other is nearly as good as the same name, if what is contained is specific.
        let contained = ratio(smaller) * self.weight.min(1.0);
        NameComparison {
            similarity: (0.5 * ratio(whole) + 0.5 * contained.max(ratio(whole))).min(1.0),
            specificity: self.weight,
            conflict: self.left.distinctive.min(self.right.distinctive),
            apart: self.left.plain.min(self.right.plain),
            other_branch: self.left.numbered && self.right.numbered,
        }
    }
}

/// The most similar word that is not taken yet, if it is similar enough.
fn best(word: &NameWord, others: &[NameWord], taken: &[bool]) -> Option<(usize, f32)> {
    let mut best: Option<(usize, f32)> = None;
    for (at, other) in others.iter().enumerate().filter(|(at, _)| !taken[*at]) {
        let similarity = word_similarity(word, other);
        if similarity >= WORD_SIMILARITY_MIN && best.is_none_or(|(_, known)| similarity > known) {
            best = Some((at, similarity));
        }
        if similarity >= 1.0 {
            break;
        }
    }
    best
}

fn is_swapped(one: &[u8], other: &[u8]) -> bool {
    one[0] == other[0] && one[1] == other[2] && one[2] == other[1]
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// How similar two words are, 0 to 1. Numbers are the same or not.
fn word_similarity(one: &NameWord, other: &NameWord) -> f32 {
    let long_kind = if one.text.len() > other.text.len() { one.kind } else { other.kind };
    let (one, other) = (one.text.as_str(), other.text.as_str());
    if one == other {
        return 1.0;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() || is_number(one) || is_number(other) {
        return 0.0;
    }
    if short.len() == 1 && long.len() > 2 && long.starts_with(short) {
        return ABBREVIATION_SIMILARITY - 0.1;
    }
    // Only trades are abbreviated; other words that begin alike are different words, or compounds.
    if short.len() >= 3 && long.len() >= short.len() + 2 && long.starts_with(short) && long_kind.is_some() {
        return ABBREVIATION_SIMILARITY;
    }
    if short.len() == 3 && long.len() == 3 && is_swapped(short.as_bytes(), long.as_bytes()) {
        return SWAPPED_SIMILARITY;
    }
    if short.len() < 4 || long.len() - short.len() > 2 {
        return 0.0;
    }
    // Typos in the first letter are rare: "Mozza" and "Cozza" are two.
    let (first, second) = (&short.as_bytes()[..2], &long.as_bytes()[..2]);
    let swapped = first[0] == second[1] && first[1] == second[0];
    if first[0] != second[0] && !swapped && long.len() < FIRST_LETTER_LETTERS_MIN {
        return 0.0;
    }
    edits::similarity(short, long)
}

/// Whether two out of five pairs of letters of the shorter name are in the other.
pub(crate) fn is_alike(one: u128, other: u128) -> bool {
    (one & other).count_ones() * 5 >= one.count_ones().min(other.count_ones()) * 2
}

/// Hashes the pairs of letters of the words that tell businesses apart, or of all words if none does.
fn signature(words: &[NameWord]) -> u128 {
    let distinctive: Vec<&NameWord> = words.iter().filter(|word| word.weight >= DISTINCTIVE_MIN).collect();
    let chosen = if distinctive.is_empty() { words.iter().collect() } else { distinctive };
    let mut signature = 0;
    for word in chosen {
        let bytes = word.text.as_bytes();
        signature |= 1 << (hash(b'^', bytes[0]));
        for pair in bytes.windows(2) {
            signature |= 1 << hash(pair[0], pair[1]);
        }
    }
    signature
}

fn hash(one: u8, other: u8) -> u32 {
    (u32::from(one) * 31 + u32::from(other)).wrapping_mul(0x9e37_79b1) >> 25
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(one: &str, other: &str) -> NameComparison {
        let profile = |name| NameProfile::new(name, &[]).unwrap();
        profile(one)
            .compare(&profile(other), &NameContext { towns: [&[], &[]], streets: [&[], &[]], same_trade: false })
    }

    #[test]
    fn spellings_of_one_name_are_similar() {
        for (one, other) in [
            ("Joe's Plumbing, LLC", "Joes Plumbing"),
            ("Bäckerei Müller GmbH", "Baeckerei Mueller"),
            ("Starbucks", "Starbucks Coffee"),
            ("Bake House", "Bakehouse"),
            ("Kentucky Fried Chicken", "KFC"),
            ("Smith & Wollensky", "Smith and Wolensky"),
            ("Wollensky & Smith", "Smith Wollensky"),
            ("Кафе Пушкин", "Cafe Pushkin"),
            ("Riverside Auto Repair Ctr", "Riverside Automotive Repair Center"),
        ] {
            let found = compare(one, other);
            assert!(found.similarity >= 0.8 && found.conflict == 0.0, "{one} and {other}: {found:?}");
        }
    }

    #[test]
    fn names_of_one_trade_are_not_similar() {
        for (one, other) in [
            ("Smith Dental", "Jones Dental"),
            ("Dr. John Smith, DDS", "Dr. Robert Jones, DDS"),
            ("Miller Family Dentistry", "Parker Family Dentistry"),
            ("Hair by Ann", "Hair by Susan"),
        ] {
            let found = compare(one, other);
            assert!(found.similarity < 0.45, "{one} and {other}: {found:?}");
        }
    }

    #[test]
    fn numbers_and_directions_tell_branches_apart() {
        assert!(compare("Fire Station 12", "Fire Station 14").other_branch);
        assert!(
            compare("Kita Sonne Nord", "Kita Sonne Süd").other_branch
                || compare("Club North", "Club South").other_branch
        );
        assert!(!compare("Station 12", "Station").other_branch);
    }
}
