//! The site being read: its domain and the names it is known by.

use crate::domains;

/// The site that pages belong to, for judging whether a domain, handle or name is its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// The registrable domain of the pages.
    pub(crate) domain: Option<String>,
    /// The domain's label and the business's name, reduced to lower-case letters and digits.
    names: Vec<String>,
    /// The domain's label, reduced likewise.
    label: String,
    /// The business's name in the listing.
    business: Option<String>,
}

impl Site {
    /// The site of a page, when the business's name is unknown.
    #[cfg(test)]
    pub(crate) fn of(url: &str) -> Site {
        Site::named(url, None)
    }

    /// The site of a page, with the business's name in the listing.
    pub(crate) fn named(url: &str, business: Option<&str>) -> Site {
        let domain = domains::registrable(domains::host_of(url));
        let label = domain.as_deref().map(domains::label).unwrap_or_default();
        let names = [Some(label), business].into_iter().flatten().map(squeeze).filter(|name| name.len() > 1).collect();
        let label = squeeze(label);
        Site { domain, names, label, business: business.map(str::to_owned) }
    }

    /// Whether an email domain is the site's own: the same registrable domain, or the same label under another suffix.
    pub(crate) fn owns(&self, domain: &str) -> bool {
        let (Some(own), Some(other)) = (&self.domain, domains::registrable(domain)) else { return false };
        let (own_name, other_name) = (domains::label(own), domains::label(&other));
        *own == other || (own_name.len() > 3 && (own_name == other_name || letters(other_name).eq(self.label.chars())))
    }

    /// The business's name in the listing.
    pub(crate) fn business(&self) -> Option<&str> {
        self.business.as_deref()
    }

    /// Whether one of the site's names is or begins with `name`, or with `dr` and `name`, or contains it when it is long.
    pub(crate) fn carries(&self, name: &str) -> bool {
        let name = squeeze(name);
        self.names.iter().any(|own| {
            let bare = own.strip_prefix("dr").or_else(|| own.strip_prefix("the")).unwrap_or(own);
            name.len() > 3
                && (own.starts_with(&name) || bare.starts_with(&name) || (name.len() > 7 && own.contains(&name)))
        })
    }

    /// Whether a text contains one of the site's names. Short names are ignored: they occur inside too many words.
    pub(crate) fn is_named_in(&self, text: &str) -> bool {
        let text = squeeze(text);
        self.names.iter().any(|own| own.len() > 3 && text.contains(own.as_str()))
    }

    /// Whether the joined words are one of the site's names, or at least the first half of one.
    pub(crate) fn is_called(&self, words: &[&str]) -> bool {
        let words = squeeze(&words.concat());
        self.names.iter().any(|own| words == *own || (words.len() * 2 >= own.len() && own.starts_with(&words)))
    }

    /// How similar a handle or company name is to the site's: 2 equal, 1 one contains the other, 0 neither.
    pub(crate) fn similarity(&self, name: &str) -> u32 {
        let name = squeeze(name);
        let one = |own: &String| {
            if *own == name {
                2
            } else if name.len() > 2
                && own.len() > 2
                && (name.contains(own.as_str()) || (own.contains(&name) && name.len() > 3))
            {
                1
            } else {
                0
            }
        };
        self.names.iter().map(one).max().unwrap_or(0)
    }
}

fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        squeezed.extend(letters.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        squeezed.extend(letters(text));
    }
    squeezed
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> impl Iterator<Item = char> + use<'_> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_recognises_its_own_names() {
        let site = Site::named("https://www.joes-plumbing.com/x", Some("Joe's Plumbing & Sons"));
        assert!(site.owns("joesplumbing.net") && site.owns("mail.joes-plumbing.com") && !site.owns("joe.com"));
        assert_eq!(
            ["JoesPlumbing", "joesplumbingaustin", "joes plumbing sons", "other"].map(|n| site.similarity(n)),
            [2, 1, 2, 0]
        );
        assert_eq!(Site::default().similarity("x"), 0);
        let doctor = Site::named("https://drannlee.com/", Some("Ann Lee Dental"));
        assert!(doctor.carries("Ann Lee") && !doctor.carries("Lee") && !doctor.carries("Bob Lee"));
    }
}
