//! The setting `geocoders`: who locates street addresses, in which order.

/// A geocoder that this version knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeocoderName {
    /// The addresses of Overture Maps, where the place data is read.
    Overture,
    /// The geocoder of the US Census Bureau.
    Census,
    /// A Nominatim server.
    Nominatim,
    /// A Photon server.
    Photon,
    /// Google's Geocoding API.
    Google,
    /// The streets of the sandbox.
    Sandbox,
}

impl GeocoderName {
    const ALL: [GeocoderName; 6] = [
        GeocoderName::Overture,
        GeocoderName::Census,
        GeocoderName::Nominatim,
        GeocoderName::Photon,
        GeocoderName::Google,
        GeocoderName::Sandbox,
    ];

    /// Its name in the setting.
    pub fn name(self) -> &'static str {
        match self {
            GeocoderName::Overture => "overture",
            GeocoderName::Census => "census",
            GeocoderName::Nominatim => "nominatim",
            GeocoderName::Photon => "photon",
            GeocoderName::Google => "google",
            GeocoderName::Sandbox => "sandbox",
        }
    }

    fn named(name: &str) -> Option<GeocoderName> {
        GeocoderName::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// Who locates street addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeocoderNames {
    /// Whoever can, by the other settings.
    Auto,
    /// These, in this order; perhaps nobody.
    These(Vec<GeocoderName>),
}

impl GeocoderNames {
    /// Reads `auto`, `none`, or a list such as `overture, census`.
    pub fn parse(value: &str) -> Result<GeocoderNames, String> {
        match value.trim().to_lowercase().as_str() {
            "auto" => Ok(GeocoderNames::Auto),
            "none" => Ok(GeocoderNames::These(Vec::new())),
            list => {
                let mut names = Vec::new();
                for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let name = GeocoderName::named(name).ok_or_else(wanted)?;
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                if names.is_empty() { Err(wanted()) } else { Ok(GeocoderNames::These(names)) }
            }
        }
    }
}

fn wanted() -> String {
    let names = GeocoderName::ALL.map(GeocoderName::name);
    format!("must be auto, none, or names out of {}, separated by commas", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_geocoders_is_read_in_order() {
        assert_eq!(GeocoderNames::parse(" Auto ").unwrap(), GeocoderNames::Auto);
        assert_eq!(GeocoderNames::parse("none").unwrap(), GeocoderNames::These(vec![]));
        let both = vec![GeocoderName::Census, GeocoderName::Overture];
        assert_eq!(GeocoderNames::parse("census, Overture,census").unwrap(), GeocoderNames::These(both));
        for wrong in ["", ",", "bing", "census;photon"] {
            assert!(GeocoderNames::parse(wrong).unwrap_err().contains("nominatim"), "{wrong}");
        }
    }
}
