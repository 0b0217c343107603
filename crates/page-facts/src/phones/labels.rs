//! Words around a number that say what it is: a phone, a fax, or something else that has digits.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::page::around;
use crate::word_set::WordSet;

/// Bytes before a number in which a word announces it.
const REACH_BYTES: usize = 40;
/// Bytes before a number in which headings of two columns are looked for.
const COLUMN_BYTES: usize = 56;
/// Bytes before a number in which a sentence may tell to fax something.
const SENTENCE_BYTES: usize = 240;
/// Longest line that is taken for the label of the line below, in bytes.
const LABEL_BYTES_MAX: usize = 32;

/// Words that announce a phone number, also as part of a longer word (`Bestelltelefon`).
static PARTS: WordSet = WordSet::new(
    "phone telefon telefoon telephone téléphone teléfono telefax facsimile hotline whatsapp viber toll-free тел факс
     звоните звонок телефон τηλ σταθερ κινητ φαξ 전화 고객지원 고객센터 팩스 연락처 電話 通話 电话 手机 热线 傳真 โทร טלפון هاتف
     تلفن شماره ☎ ☏ 📞 📱 ✆ 🕿 📠",
);
/// Words that announce one when they stand alone.
static WORDS: WordSet = WordSet::new(
    "call calling tel text fax mobile cell cel dial contact reach sms office number fon mobil handy ring tlf tlf.
     puh puhelin gsm natel movil móvil celular celulare cellulare llame llámenos appelez rufen anrufen chiama
     chiamaci zadzwoń infoline helpline hotline centralino assistenza cliente atendimento kundenservice
     klantenservice kundenservice kundendienst zentrale support service toll ph phn mob tél telf tfno tfn tf
     ph: ph. p: t: m: f: o: p. t. c: d: w: h: bel zavolejte infolinka ringe kundeservice kundservice kundtjänst växel
     soita asiakaspalvelu vaihde telemóvel telemovel tlm kom. komórka komorka mobilní mobilný",
);

static SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(PARTS.iter().chain(WORDS.iter())).ok()
});
static PART_COUNT: LazyLock<usize> = LazyLock::new(|| PARTS.iter().count());

/// Labels of numbers that are no phone numbers, as letters and digits without spaces or points.
static OTHER_LABELS: WordSet = WordSet::new(
    "vat vatid vatno ust ustid ustidnr uid uidnr mwst steuernummer steuernr stnr hrb hra hrbnr handelsregister
     registergericht amtsgericht siret siren rcs ape naf tva piva partitaiva iva pi cf codfisc codicefiscale cfpiva rea regimprese
     cif nif nipc nipt cnpj cpf kvk btw rsin abn acn arbn gst gstin pan cin ein fein taxid tin irs npi npn mls lic
     license licence licensed licenseno lics dre caldre calbre bre nmls dot usdot mc ccb roc cslb cpuc puc iban bic swift
     konto kto kontonr blz bankleitzahl account acct accountno routing sortcode isbn issn ean upc gtin asin sku item itemno artikel artikelnummer
     artikelnr artnr bestellnummer bestellnr modell modellnummer model modelno part partno serial
     sn order orderno tracking invoice rechnung rechnungsnummer kundennummer auftragsnummer vorgangsnummer belegnummer aktenzeichen
     ref reference referenz art az kd kdnr agrément id icq qq wechatid skypeid orgnr organisationsnummer cvr cvrnr ytunnus ičo ico dič dic nip regon krs
     oib pib mb инн огрн кпп едрпоу егрпоу окпо 사업자번호 사업자등록번호 통신판매업신고번호 계좌 은행 登録番号 法人番号
     duns registration registrationno registered reg regno registry companyno company charity charityno charitynumber companynumber
     case docket doi pmid pmcid zip zipcode plz cep postcode postal coordinates lat lng
     latitude longitude gps vin policy claim confirmation ticket tag servicetag form permit cert certificate certification
     fdic finra crd sec crn rcn chamber commerce entity post thread topic error version ver firmware build
     visits visitors besucher views posts members beiträge temas mensajes pages page seite",
);

/// Words between a label and its number that say nothing.
static FILLERS: WordSet = WordSet::new(
    "no nr num number numero número numéro nummer n nº n° № is ist are e and of the under der code # it de gb at fr es nl be ie pl lu",
);

/// Words for a currency or a measure right after a number.
static UNITS: WordSet = WordSet::new(
    "eur euro euros usd gbp chf ft huf czk kč pln zł sek nok dkk kr ron lei rub руб грн uah лв bgn inr rs jpy円 円 원
     mm cm m km kg g mg lb lbs oz ml l ltr px dpi mhz ghz hz kwh kw watt watts mah gb mb tb kb rpm psi pcs stk
     stück sq sqft acres miles votes views followers users members posts points",
);

/// Whether a word that announces a phone number occurs shortly before, on the line or as the line above.
pub(crate) fn announced(text: &str, start: usize) -> bool {
    let before = around(text, start, REACH_BYTES, 0);
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    if has_phone_word(line) {
        return true;
    }
    // A label in the cell or line above counts when nothing but marks precedes the number on its own line.
    let label = above.rsplit('\n').next().unwrap_or("");
    let alone = !line.contains(|c: char| c.is_alphanumeric());
    alone && before.contains('\n') && label.len() <= LABEL_BYTES_MAX && has_phone_word(label)
}

fn has_phone_word(line: &str) -> bool {
    if line.is_empty() {
        return false;
    }
    let lower = line.to_lowercase();
    let Some(search) = SEARCH.as_ref() else { return false };
    search.find_overlapping_iter(&lower).any(|found| {
        let free = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        found.pattern().as_usize() < *PART_COUNT
            || (free(lower[..found.start()].chars().next_back()) && free(lower[found.end()..].chars().next()))
    })
}

/// Labels that are also places to call: `Registration 512-555-0100`, unless `No.` follows.
static DESKS: WordSet = WordSet::new(
    "registration registry order ticket claim policy members visitors chamber commerce certification permit charity
     company reference case form post invoice tracking account licensed license",
);

/// Whether the words directly before a number name something else: a tax number, a licence, an order. `is_dialled` says that
/// the number is written as phone numbers are and little else.
pub(crate) fn names_another_number(text: &str, start: usize, is_dialled: bool) -> bool {
    let before = around(text, start, REACH_BYTES, 0);
    // A line that ends in a colon is the label of the line below.
    let above = before.trim_end_matches(['\n', ' ', '(']);
    let before = if above.ends_with(':') { above } else { before };
    let line = before.rsplit('\n').next().unwrap_or("");
    // `the Office of Registration at 512-555-0100`; `AT` in capitals is Austria, before its tax numbers.
    if line.ends_with(" at ") {
        return false;
    }
    // `P. IVA` and `VAT No. GB`: the label may be several words, with fillers after it.
    let mut words: Vec<String> = line
        .split_whitespace()
        .rev()
        .take(6)
        .map(|word| {
            word.chars().filter(|c| c.is_alphanumeric() || "#№°".contains(*c)).flat_map(char::to_lowercase).collect()
        })
        .collect();
    words.retain(|word: &String| !word.is_empty());
    let fillers = words.iter().take(3).take_while(|word| FILLERS.contains(word.as_str())).count();
    let mut label = String::new();
    for word in words.iter().skip(fillers).take(3) {
        label.insert_str(0, word.trim_end_matches(['#', '№']));
        if OTHER_LABELS.contains(label.as_str()) {
            return !(is_dialled && fillers == 0 && DESKS.contains(label.as_str()));
        }
    }
    false
}

/// Bytes before a number in which imprints name the host of the website.
const HOST_BYTES: usize = 120;
/// Companies that imprints must name as hosts.
const HOSTS: [&str; 12] = [
    "OVH SAS",
    "OVH S.A",
    "OVHcloud",
    "IONOS SE",
    "IONOS SARL",
    "Hetzner",
    "Hostinger",
    "Infomaniak",
    "Gandi SAS",
    "o2switch",
    "Vercel Inc",
    "STRATO AG",
];

static HOST_SEARCH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(HOSTS).ok());

/// Whether a number stands below the name of a company that hosts websites.
pub(crate) fn is_of_host(text: &str, start: usize) -> bool {
    HOST_SEARCH.as_ref().is_some_and(|hosts| hosts.is_match(around(text, start, HOST_BYTES, 0)))
}

/// Whether a currency or a measure follows a number directly.
pub(crate) fn is_amount(text: &str, end: usize) -> bool {
    let after = around(text, end, 0, 16);
    let after = after.strip_prefix(' ').unwrap_or(after);
    if after.starts_with(['€', '$', '£', '₴', '₽', '₹', '%', '°', '²', '"', '″']) {
        return !after.starts_with('"');
    }
    let word = &after[..after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len())];
    !word.is_empty() && UNITS.contains(word.to_lowercase().as_str())
}

/// Reads `ext. 12`, `x12`, `Durchwahl 12` or `poste 12` directly after a number.
pub(crate) fn extension_after(rest: &str) -> Option<String> {
    let rest = around(rest, 0, 0, 28).trim_start_matches([' ', ',', '(', ';', '-', '–', '/']).to_lowercase();
    let words = [
        "extension",
        "extn",
        "ext.",
        "ext",
        "durchwahl",
        "dw",
        "poste",
        "interno",
        "int.",
        "anexo",
        "ramal",
        "toestel",
        "wew.",
        "linka",
        "доб.",
        "x",
    ];
    let after = words.iter().find_map(|word| rest.strip_prefix(word))?;
    let digits: String =
        after.trim_start_matches([' ', ':', '.', '-', '=', '#']).chars().take_while(char::is_ascii_digit).collect();
    (1..=6).contains(&digits.len()).then_some(digits)
}

/// `Phone`, `Fax` above two numbers: whether the number is the second.
fn is_second_of_columns(text: &str, start: usize) -> bool {
    let before = around(text, start, COLUMN_BYTES, 0).to_lowercase();
    let head = before.trim_end_matches(|c: char| !c.is_alphabetic());
    // Exactly one number lies between.
    let is_next = (10..24).contains(&(before.len() - head.len()));
    let mut labels = head.lines().rev();
    let is = |line: Option<&str>, words: &[&str]| line.is_some_and(|line| words.contains(&line.trim_end_matches(':')));
    is_next && is(labels.next(), &["fax", "facsimile"]) && is(labels.next(), &["phone", "telephone", "tel", "office"])
}

/// Whether the words directly before or after a number say that it is a fax number.
pub(crate) fn says_fax(text: &str, start: usize, end: usize) -> bool {
    let before = around(text, start, 32, 0).to_lowercase();
    // Only the text after the previous number applies: "Tel 1 Fax 2 Tel 3".
    let near = before.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or("");
    let fax_at = ["fax", "facsimile", "fx:", "fx.", "факс", "팩스", "faks", "φαξ", "📠"]
        .iter()
        .filter_map(|word| near.rfind(word))
        .max();
    let voice_at = ["tel", "phone", "call", "mobile", "cell", "fon:", "тел", "τηλ", "전화", "toll free", "office"]
        .iter()
        .filter_map(|word| {
            near.rfind(word).filter(|at| !near[*at..].starts_with("telefax") && !near[*at..].starts_with("телефакс"))
        })
        .max();
    // "Phone/Fax" names both, and so do two lines "Phone", "Fax" above two numbers: the first is a voice line.
    let is_one_label = |voice: usize, fax: usize| {
        let between = &near[voice..fax];
        between.contains('/')
            || between.contains('&')
            || (between.contains('\n')
                && near[fax..].trim_end_matches(['\n', ':', ' ']).len() < 8
                && near[fax..].contains('\n'))
    };
    if fax_at.is_some_and(|fax| voice_at.is_none_or(|voice| voice < fax && !is_one_label(voice, fax))) {
        return true;
    }
    let trimmed = near.trim_end_matches([' ', '(', '+', '\n']);
    if trimmed.ends_with("f:")
        || trimmed.ends_with(" f.")
        || matches!(trimmed.trim_start_matches([' ', '\n', '·', '•', ',', ';', '/', '-']), "f" | "f.")
        || trimmed.ends_with("| f")
    {
        return true;
    }
    if near.trim().is_empty() && is_second_of_columns(text, start) {
        return true;
    }
    if (trimmed.ends_with(" at") || trimmed.ends_with(" to")) && tells_to_fax(text, start) {
        return true;
    }
    let after = around(text, end, 0, 16).to_lowercase();
    let after = after.trim_start_matches([' ', '-', '–']);
    after == "fx"
        || after.starts_with("fx\n")
        || after.starts_with("(fax)")
        || after.starts_with("fax\n")
        || after == "fax"
        || after.starts_with("(f)")
}

/// `You may fax the form to the clerk of the county at 512-555-0100`: the verb stands earlier in the sentence.
fn tells_to_fax(text: &str, start: usize) -> bool {
    let before = around(text, start, SENTENCE_BYTES, 0);
    let sentence = before.rsplit(['\n', '.', ';']).next().unwrap_or(before);
    let verbs = ["fax the ", "fax your ", "fax a ", "fax it ", "fax them ", "faxed ", "fax this ", "fax completed "];
    let told = verbs.iter().filter_map(|verb| sentence.rfind(verb)).max();
    told.is_some_and(|told| !["call", "phone", "mail"].iter().any(|word| sentence[told..].contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_words_announce_a_number() {
        let at = |text: &str| text.find(|c: char| c.is_ascii_digit()).unwrap();
        for text in
            ["Phone: 5", "call us on 5", "Tlf.: 5", "Телефон:\n5", "Phone\n5", "T: 5", "Bestelltelefon 5", "お電話 5"]
        {
            assert!(announced(text, at(text)), "{text}");
        }
        for text in [
            "Hotel 5",
            "during 5",
            "excellent 5",
            "Phone us\nroom 5",
            "an order of 5",
            "5",
            "Contact our long-standing partners in town\n5",
        ] {
            assert!(!announced(text, at(text)), "{text}");
        }
    }

    #[test]
    fn labels_of_other_numbers_are_known() {
        let at = |text: &str| text.rfind(' ').unwrap() + 1;
        for text in [
            "P.IVA 5",
            "P. IVA: 5",
            "C.F. 5",
            "P.IVA e Cod. Fisc. 5",
            "USt-IdNr.: DE 5",
            "VAT No. GB 5",
            "VAT No. AT 5",
            "HRB 5",
            "SIRET : 5",
            "ABN 5",
            "Lic. # 5",
            "DRE # 5",
            "NPI number 5",
            "Order number: 5",
            "ISBN 5",
            "KvK nr. 5",
            "IČO: 5",
            "D-U-N-S No. 5",
            "Artikelnummer: 5",
            "Account number is 5",
        ] {
            assert!(names_another_number(text, at(text), false), "{text}");
        }
        for text in [
            "Phone no. 5",
            "Tel.-Nr. 5",
            "Contact number: 5",
            "Licensed plumbers, call 5",
            "VAT 7 Phone: 5",
            "Office of Registration at 5",
            "HRB 7\nFon 5",
            "5 5",
        ] {
            assert!(!names_another_number(text, at(text), false), "{text}");
        }
        for (text, expect) in
            [("Registration 5", false), ("Claims & Policy: 5", false), ("Registration No. 5", true), ("SKU 5", true)]
        {
            assert_eq!(names_another_number(text, at(text), true), expect, "{text}");
        }
    }

    #[test]
    fn amounts_are_recognised_by_what_follows() {
        for (text, expect) in
            [("5 €", true), ("5 Ft", true), ("5mm", true), ("5 Main St", false), ("5", false), ("5.", false)]
        {
            assert_eq!(is_amount(text, 1), expect, "{text}");
        }
    }

    #[test]
    fn extensions_are_read() {
        for (rest, expect) in [
            (" ext. 12", Some("12")),
            ("x12", Some("12")),
            (", Durchwahl -12", Some("12")),
            (" poste 12", Some("12")),
            (" extra 12", None),
            ("", None),
            (" x", None),
            (" or 12", None),
        ] {
            assert_eq!(extension_after(rest).as_deref(), expect, "{rest}");
        }
    }

    #[test]
    fn fax_is_distinguished_from_voice() {
        for (text, expect) in [
            ("Fax: 512-555-0100", true),
            ("Phone 512-555-0100", false),
            ("Tel 512-555-0101 Fax 512-555-0100", true),
            ("Fax 512-555-0101 Tel 512-555-0100", false),
            ("512-555-0100 (fax)", true),
            ("F: 512-555-0100", true),
            ("Telefax 512-555-0100", true),
            ("Phone/Fax: 512-555-0100", false),
            ("Fax\n512-555-0100", true),
            ("Phone\nFax\n512-555-0100", false),
            ("факс: 512-555-0100", true),
            ("You may fax the signed form with all of its copies to the county clerk at (512-555-0100", true),
            ("You may fax the signed form to the county clerk, or call the office at 512-555-0100", false),
            ("Fax the form. For anything else, the clerk is there for you at 512-555-0100", false),
        ] {
            let start = text.find("512-555-0100").unwrap();
            assert_eq!(says_fax(text, start, start + 12), expect, "{text}");
        }
    }
}
