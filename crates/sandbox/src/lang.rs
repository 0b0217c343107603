//! The languages of businesses and their websites.

/// A supported language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lang {
    English,
    German,
    Spanish,
    French,
}

impl Lang {
    /// The language of a country; English when the country's own is not supported.
    pub(crate) fn of(country: &str) -> Lang {
        match country {
            "DE" | "AT" | "LI" => Lang::German,
            "ES" | "MX" | "AR" | "CO" | "CL" | "PE" | "EC" | "UY" | "PY" | "BO" | "GT" | "CR" | "PA" | "DO" | "HN"
            | "SV" | "NI" | "VE" | "CU" => Lang::Spanish,
            "FR" | "MC" | "LU" => Lang::French,
            _ => Lang::English,
        }
    }

    /// The value of the `lang` attribute.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Lang::English => "en",
            Lang::German => "de",
            Lang::Spanish => "es",
            Lang::French => "fr",
        }
    }
}
