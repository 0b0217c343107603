//! Which of Overture's data is read.

/// A theme of Overture's releases, of which one type of record is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    Places,
    Addresses,
}

impl Theme {
    /// What its records are called in messages.
    pub(crate) fn records(self) -> &'static str {
        self.parts().0
    }

    /// The name of its type, which is also that of its collection in the catalog.
    pub(crate) fn kind(self) -> &'static str {
        self.parts().1
    }

    /// Where its files lie in a release.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Theme::Places => "theme=places/type=place",
            Theme::Addresses => "theme=addresses/type=address",
        }
    }

    /// Columns without which a file holds none of its records.
    pub(crate) fn columns(self) -> [&'static str; 3] {
        match self {
            Theme::Places => ["id", "geometry", "names"],
            Theme::Addresses => ["id", "geometry", "street"],
        }
    }

    fn parts(self) -> (&'static str, &'static str) {
        match self {
            Theme::Places => ("places", "place"),
            Theme::Addresses => ("addresses", "address"),
        }
    }
}
