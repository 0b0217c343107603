//! The languages that businesses and their websites speak.

/// A language of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lang {
    English,
    German,
    Spanish,
    French,
}

impl Lang {
    /// The language of a country; English where there are no words for another.
    pub(crate) fn of(country: &str) -> Lang {
        match country {
            "DE" | "AT" | "LI" => Lang::German,
            "ES" | "MX" | "AR" | "CO" | "CL" | "PE" | "EC" | "UY" | "PY" | "BO" | "GT" | "CR" | "PA" | "DO" | "HN"
            | "SV" | "NI" | "VE" | "CU" => Lang::Spanish,
            "FR" | "MC" | "LU" => Lang::French,
            _ => Lang::English,
        }
    }

    /// As the `lang` attribute has it.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Lang::English => "en",
            Lang::German => "de",
            Lang::Spanish => "es",
            Lang::French => "fr",
        }
    }
}
