//! The site that is read: its domain, and the names it goes by.

use crate::domains;

/// The site on which something was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// The registrable domain of the pages.
    pub(crate) domain: Option<String>,
    /// The domain's name and the business's, letters and digits only, in lower case.
    names: Vec<String>,
    /// The name of the domain, likewise.
    label: String,
    /// The business's name as the listing has it.
    business: Option<String>,
}

impl Site {
    /// The site a page belongs to.
    #[cfg(test)]
    pub(crate) fn of(url: &str) -> Site {
        Site::named(url, None)
    }

    /// The site a page belongs to, and the name of the business as the listing has it.
    pub(crate) fn named(url: &str, business: Option<&str>) -> Site {
        let domain = domains::registrable(domains::host_of(url));
        let label = domain.as_deref().map(domains::label).unwrap_or_default();
        let names = [Some(label), business].into_iter().flatten().map(squeeze).filter(|name| name.len() > 1).collect();
        let label = squeeze(label);
        Site { domain, names, label, business: business.map(str::to_owned) }
    }

    /// Whether an email's domain is the site's own: the same registrable domain, or the same name elsewhere.
    pub(crate) fn owns(&self, domain: &str) -> bool {
        let (Some(own), Some(other)) = (&self.domain, domains::registrable(domain)) else { return false };
        let (own_name, other_name) = (domains::label(own), domains::label(&other));
        *own == other || (own_name.len() > 3 && (own_name == other_name || letters(other_name).eq(self.label.chars())))
    }

    /// The business's name as the listing has it.
    pub(crate) fn business(&self) -> Option<&str> {
        self.business.as_deref()
    }

    /// Whether this is one of the site's names, and the whole of it.
    pub(crate) fn is_exactly(&self, name: &str) -> bool {
        self.names.contains(&squeeze(name))
    }

    /// Whether a text holds one of the site's names. What is short stands in too many words to mean anything.
    pub(crate) fn is_named_in(&self, text: &str) -> bool {
        let text = squeeze(text);
        self.names.iter().any(|own| own.len() > 3 && text.contains(own.as_str()))
    }

    /// Whether some words, put together, are one of the site's names, or the better half of it.
    pub(crate) fn is_called(&self, words: &[&str]) -> bool {
        let words = squeeze(&words.concat());
        self.names.iter().any(|own| words == *own || (words.len() * 2 >= own.len() && own.starts_with(&words)))
    }

    /// How much a handle or a company's name is the site's: 2 the same, 1 one holds the other, 0 not at all.
    pub(crate) fn likeness(&self, name: &str) -> u32 {
        let name = squeeze(name);
        let one = |own: &String| match () {
            () if *own == name => 2,
            () if name.len() > 2
                && own.len() > 2
                && (name.contains(own.as_str()) || (own.contains(&name) && name.len() > 3)) =>
            {
                1
            }
            () => 0,
        };
        self.names.iter().map(one).max().unwrap_or(0)
    }
}

fn squeeze(text: &str) -> String {
    letters(text).collect()
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> impl Iterator<Item = char> + use<'_> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_knows_its_own_names() {
        let site = Site::named("https://www.joes-plumbing.com/x", Some("Joe's Plumbing & Sons"));
        assert!(site.owns("joesplumbing.net") && site.owns("mail.joes-plumbing.com") && !site.owns("joe.com"));
        assert_eq!(
            ["JoesPlumbing", "joesplumbingaustin", "joes plumbing sons", "other"].map(|n| site.likeness(n)),
            [2, 1, 2, 0]
        );
        assert_eq!(Site::default().likeness("x"), 0);
    }
}
