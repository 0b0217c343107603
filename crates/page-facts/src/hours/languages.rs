//! The words of opening hours in many languages.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::hours::tokens::{Half, Token};

/// Names of days that mean the same in every language, by day.
const DAYS: [&str; 7] = [
    "monday mondays mon mo montag montags lundi lundis lun lunes lunedì lunedi maandag maandags ma poniedziałek pondělí pondelok
     segunda måndag måndagar mandag mandager maanantai pazartesi понедельник понеділок пн luni hétfő δευτέρα ponedjeljak
     ponedeljek esmaspäev pirmdiena pirmadienis dilluns понеделник 월요일",
    "tuesday tuesdays tue tues tu dienstag dienstags di die mardi mardis mar martes martedì martedi dinsdag dinsdags wtorek úterý
     utorok terça tisdag tisdagar tirsdag tirsdager tiistai salı вторник вівторок вт marți kedd τρίτη utorak torek teisipäev otrdiena
     antradienis dimarts 화요일",
    "wednesday wednesdays wed weds we mittwoch mittwochs mi mercredi mercredis mer miércoles miercoles mié mie mercoledì
     mercoledi woensdag woensdags wo środa středa streda quarta onsdag onsdagar onsdager keskiviikko çarşamba среда середа ср miercuri
     szerda τετάρτη srijeda sreda kolmapäev trešdiena trečiadienis dimecres сряда 수요일",
    "thursday thursdays thu thur thurs th donnerstag donnerstags do jeudi jeudis jeu jueves jue giovedì giovedi gio donderdag
     donderdags czwartek čtvrtek štvrtok quinta torsdag torsdagar torsdager torstai perşembe четверг четвер чт joi csütörtök πέμπτη
     četvrtak četrtek neljapäev ceturtdiena ketvirtadienis dijous четвъртък 목요일",
    "friday fridays fri fr freitag freitags vendredi vendredis ven viernes vie venerdì venerdi vrijdag vrijdags vr piątek pátek
     piatok sexta fredag fredagar fredager perjantai cuma пятница п’ятниця пт vineri péntek παρασκευή petak petek reede
     piektdiena penktadienis divendres петък 금요일",
    "saturday saturdays sat sa samstag samstags sonnabend sonnabends samedi samedis sam sábado sabado sábados sabados sáb sab
     sabato zaterdag zaterdags za sobota sobotę lördag lördagar lördager lørdag lørdager lauantai cumartesi суббота субота сб sâmbătă
     sambata szombat σάββατο subota laupäev sestdiena šeštadienis dissabte събота 토요일",
    "sunday sundays sun su sonntag sonntags sonn so dimanche dimanches dim domingo domingos dom domenica zondag zondags zo niedziela
     neděle nedeľa söndag söndagar søndag søndager sunnuntai pazar воскресенье неділя вс duminică duminica vasárnap κυριακή
     nedjelja nedelja pühapäev svētdiena sekmadienis diumenge неделя 일요일",
];

const WORDS: &[(&str, Token)] = &[
    ("to through thru until till til bis à au al a tot e/o às até până до έως", Token::To),
    ("and und et y e en sowie och og и та și és και", Token::And),
    (
        "closed geschlossen ruhetag fermé ferme fermée cerrado chiuso gesloten nieczynne zamknięte zavřeno zatvorené fechado
         encerrado stängt lukket stengt suljettu kapalı выходной закрыто вихідний зачинено închis zárva κλειστά zatvoreno
         zaprto suletud slēgts nedirbame tancat затворено 휴무 휴무일 휴진 휴진일",
        Token::Closed,
    ),
    ("appointment appointments appt vereinbarung terminvereinbarung rendez cita appuntamento afspraak", Token::Appointment),
    ("daily everyday täglich dagelijks codziennie denně diariamente giornalmente dagligen daglig ежедневно щодня zilnic 매일", Token::Days(0, 6)),
    ("weekdays werktags wochentags vardagar hverdage hverdager arkisin будни 평일", Token::Days(0, 4)),
    ("weekends weekend wochenende 주말", Token::Days(5, 6)),
    (
        "from von vom open opening opens geöffnet offen ouvert ouverte abierto abrimos aperto aperti apertura geopend uhr uur hrs
         hours h de du des dalle alle dal van the on our we are is le les el los il lo und day week days by only nach sur con op
         kl klo od åpent öppet åbent avatud kell с з от at each",
        Token::Filler,
    ),
    ("morning mornings afternoon afternoons matin mattina mattino pomeriggio mañana mañanas tarde tardes ochtend middag namiddag", Token::HalfDay),
    ("holiday holidays feiertag feiertage feiertags feiertagen fériés festivos festivi", Token::Holiday),
    ("between zwischen entre tra fra tussen mellan mellem mellom", Token::Between),
    (
        "except excepting excluding außer ausser ausgenommen sauf excepté tranne eccetto escluso excepto salvo menos behalve
         uitgezonderd undtagen utom unntatt oprócz kromě",
        Token::Except,
    ),
    ("late close closing onwards onward", Token::Late),
    ("ab vanaf dès från", Token::After),
    ("est edt et cst cdt ct mst mdt mt pst pdt pt gmt eastern central mountain pacific time", Token::Zone),
    ("noon mittags midi", Token::Time(12 * 60, Half::Full)),
    ("midnight mitternacht minuit", Token::Time(24 * 60, Half::Full)),
];

/// Abbreviations and words that mean a day only in pages of one language, by the codes of the languages.
const LOCAL: &[(&str, [&str; 7], &str)] = &[
    ("fi", ["ma", "ti", "ke", "to", "pe", "la", "su"], ""),
    ("sv", ["mån", "tis", "ons", "tors tor", "fre", "lör", "sön"], ""),
    ("da no nb nn", ["man", "tirs tir", "ons", "tors tor", "fre", "lør", "søn"], ""),
    ("cs", ["po", "út", "st", "čt", "pá", "so", "ne"], "do"),
    ("sk", ["po", "ut", "st", "št", "pi", "so", "ne"], "do"),
    ("pl", ["pon pn", "wt", "śr", "czw cz", "pt pią", "sob sb so", "niedz nd ndz"], "do"),
    ("pt", ["seg", "ter", "qua", "qui", "sex", "sáb sab", "dom"], ""),
    ("nl", ["ma", "di", "wo", "do", "vr", "za", "zo"], ""),
    ("tr", ["pzt", "sal", "çar", "per", "cum", "cmt", "paz"], ""),
    ("ro", ["lu", "ma", "mi", "jo", "vi", "sâ", "du"], ""),
    ("hu", ["h", "k", "sze", "cs", "p", "szo", "v"], ""),
    ("hr sr bs sl", ["pon", "uto tor", "sri sre", "čet", "pet", "sub sob", "ned"], "do"),
    ("uk", ["пн", "вт", "ср", "чт", "пт", "сб", "нд"], ""),
    ("bg", ["пон", "вто", "сря", "чет", "пет", "съб", "нед"], ""),
    ("el", ["δευ", "τρι", "τετ", "πεμ", "παρ", "σαβ", "κυρ"], ""),
    ("et", ["e", "t", "k", "n", "r", "l", "p"], ""),
    ("lt", ["i", "ii", "iii", "iv", "v", "vi", "vii"], ""),
    ("ko", ["월", "화", "수", "목", "금", "토", "일"], ""),
    ("ca", ["dl", "dt", "dc", "dj", "dv", "ds", "dg"], ""),
];

/// Words and their tokens.
pub(crate) type Lexicon = FxHashMap<&'static str, Token>;

static COMMON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    for (day, names) in DAYS.iter().enumerate() {
        lexicon.extend(names.split_ascii_whitespace().map(|name| (name, Token::Day(day))));
    }
    for (words, token) in WORDS {
        for word in words.split_ascii_whitespace() {
            lexicon.entry(word).or_insert(*token);
        }
    }
    lexicon
});

static LOCALS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    let of = |days: &'static [&'static str; 7], until: &'static str| {
        let mut lexicon = Lexicon::default();
        for (day, names) in days.iter().enumerate() {
            lexicon.extend(names.split_ascii_whitespace().map(|name| (name, Token::Day(day))));
        }
        lexicon.extend(until.split_ascii_whitespace().map(|word| (word, Token::To)));
        lexicon
    };
    LOCAL.iter().map(|(_, days, until)| of(days, until)).collect()
});

/// The words of one page: those of its language come before those of all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Language(Option<&'static Lexicon>);

impl Language {
    /// The language that a page declares, such as `cs` or `cs-CZ`.
    pub(crate) fn declared(lang: Option<&str>) -> Language {
        let code = lang.and_then(|lang| lang.split(['-', '_']).next()).unwrap_or("").to_ascii_lowercase();
        let place = LOCAL.iter().position(|(codes, ..)| codes.split(' ').any(|known| known == code));
        Language(place.and_then(|place| LOCALS.get(place)))
    }

    /// Whether days are numbered from Sunday, as in Portuguese, whose Monday is `seg`: `2ª a 6ª feira`.
    pub(crate) fn numbers_days(self) -> bool {
        self.0.is_some_and(|local| local.contains_key("seg"))
    }

    /// What a word in lower case means, and whether only this language gives it that meaning.
    pub(crate) fn token(self, word: &str) -> Option<(Token, bool)> {
        let local = self.0.and_then(|local| local.get(word)).map(|token| (*token, true));
        local.or_else(|| COMMON.get(word).map(|token| (*token, false)))
    }
}

/// Phrases of which a word is the first: `every day`, `seven days`, `tot en met`, `t/m`. With the length of the rest.
pub(super) fn phrase(lower: &str, rest: &str) -> Option<(Token, usize)> {
    let (tails, token): (&[&str], Token) = match lower {
        "t" => (&["/m"], Token::To),
        "tot" => (&[" en met"], Token::To),
        "après" => (&["-midi"], Token::HalfDay),
        "every" => (&[" day"], Token::Days(0, 6)),
        "week" => (&["-ends", "-end"], Token::Days(5, 6)),
        "seven" => (&[" days"], Token::Days(0, 6)),
        "tutti" => (&[" i giorni"], Token::Days(0, 6)),
        "tous" => (&[" les jours"], Token::Days(0, 6)),
        "todos" => (&[" los días", " los dias", " os dias"], Token::Days(0, 6)),
        "alle" => (&[" dagen"], Token::Days(0, 6)),
        _ => return None,
    };
    let follows = |tail: &&&str| rest.get(..tail.len()).is_some_and(|next| next.eq_ignore_ascii_case(tail));
    tails.iter().find(follows).map(|tail| (token, tail.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_s_language_comes_first() {
        let token = |lang: &str, word: &str| Language::declared(Some(lang)).token(word).map(|(token, _)| token);
        assert_eq!(token("cs-CZ", "so"), Some(Token::Day(5)));
        assert_eq!(token("de", "so"), Some(Token::Day(6)));
        assert_eq!(token("fi", "to"), Some(Token::Day(3)));
        assert_eq!(token("en", "to"), Some(Token::To));
        assert_eq!(token("pl", "do"), Some(Token::To));
        assert_eq!(token("en", "zzz"), None);
    }
}
