//! Profiles in social networks: addresses as they are, and handles as addresses.

use super::element::Tags;

/// A social network.
struct Network {
    /// Keys of its tags, without the prefix `contact:`.
    keys: &'static [&'static str],
    /// Its domains; other values with a dot and a slash are addresses of something else.
    domains: &'static [&'static str],
    /// What a handle is appended to.
    profiles: &'static str,
    /// First parts of a path that a handle may already have, such as `company` in `company/acme`.
    sections: &'static [&'static str],
    /// The section of a handle that has none, and whether handles are written with an `@`.
    bare: &'static str,
}

const NETWORKS: &[Network] = &[
    Network {
        keys: &["facebook"],
        domains: &["facebook.com", "fb.com", "fb.me"],
        profiles: "https://www.facebook.com/",
        sections: &["pages", "groups", "p", "people"],
        bare: "",
    },
    Network {
        keys: &["instagram"],
        domains: &["instagram.com", "instagr.am"],
        profiles: "https://www.instagram.com/",
        sections: &[],
        bare: "",
    },
    Network {
        keys: &["twitter", "x"],
        domains: &["twitter.com", "x.com"],
        profiles: "https://x.com/",
        sections: &[],
        bare: "",
    },
    Network {
        keys: &["linkedin"],
        domains: &["linkedin.com"],
        profiles: "https://www.linkedin.com/",
        sections: &["company", "in", "school", "showcase"],
        bare: "company/",
    },
    Network {
        keys: &["youtube"],
        domains: &["youtube.com", "youtu.be"],
        profiles: "https://www.youtube.com/",
        sections: &["channel", "c", "user"],
        bare: "@",
    },
    Network {
        keys: &["tiktok"],
        domains: &["tiktok.com"],
        profiles: "https://www.tiktok.com/",
        sections: &[],
        bare: "@",
    },
];

/// Whether a key names a social network.
pub(super) fn is_social(key: &str) -> bool {
    network(key).is_some()
}

fn network(key: &str) -> Option<&'static Network> {
    let key = key.strip_prefix("contact:").unwrap_or(key);
    NETWORKS.iter().find(|network| network.keys.contains(&key))
}

/// The addresses of all profiles, each once.
pub(crate) fn socials(tags: &Tags) -> Vec<String> {
    let mut found = Vec::new();
    for network in NETWORKS {
        let keys = network.keys.iter().flat_map(|key| [format!("contact:{key}"), (*key).to_owned()]);
        for key in keys {
            for address in tags.values(&key).filter_map(|value| network.address(value)) {
                if !found.contains(&address) {
                    found.push(address);
                }
            }
        }
    }
    found
}

impl Network {
    /// The address of a profile given as an address or as a handle; `None` for anything else, such as `yes`.
    fn address(&self, value: &str) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        if lower.starts_with("http://") || lower.starts_with("https://") {
            return Some(value.to_owned());
        }
        let host = lower.trim_start_matches("//").split('/').next().unwrap_or_default();
        if self.domains.iter().any(|domain| host == *domain || host.ends_with(&format!(".{domain}"))) {
            return Some(format!("https://{}", value.trim_start_matches('/')));
        }
        let handle = value.trim_start_matches('@').trim_matches('/');
        let is_handle =
            !handle.is_empty() && handle.chars().all(|letter| letter.is_alphanumeric() || "._-/?=&%".contains(letter));
        if !is_handle || matches!(lower.as_str(), "yes" | "no" | "none") {
            return None;
        }
        let section =
            handle.split('/').next().filter(|first| handle.len() > first.len() && self.sections.contains(first));
        let is_channel =
            self.bare == "@" && self.sections.contains(&"channel") && handle.starts_with("UC") && handle.len() == 24;
        let prefix = match section {
            Some(_) => "",
            None if is_channel => "channel/",
            None => self.bare,
        };
        Some(format!("{}{prefix}{handle}", self.profiles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_become_addresses_and_addresses_stay() {
        let cases = [
            ("contact:facebook", "CafeEsplanad", Some("https://www.facebook.com/CafeEsplanad")),
            ("facebook", "https://www.facebook.com/x", Some("https://www.facebook.com/x")),
            ("contact:facebook", "www.facebook.com/x", Some("https://www.facebook.com/x")),
            ("contact:facebook", "pages/Acme/123", Some("https://www.facebook.com/pages/Acme/123")),
            ("contact:facebook", "Cafe Esplanad", None),
            ("contact:instagram", "@cafe.esplanad", Some("https://www.instagram.com/cafe.esplanad")),
            ("contact:twitter", "acme", Some("https://x.com/acme")),
            ("contact:x", "@acme", Some("https://x.com/acme")),
            ("contact:linkedin", "acme", Some("https://www.linkedin.com/company/acme")),
            ("contact:linkedin", "in/jane-doe", Some("https://www.linkedin.com/in/jane-doe")),
            ("contact:youtube", "@acme", Some("https://www.youtube.com/@acme")),
            ("contact:youtube", "channel/UC123", Some("https://www.youtube.com/channel/UC123")),
            (
                "contact:youtube",
                "UC1234567890123456789012",
                Some("https://www.youtube.com/channel/UC1234567890123456789012"),
            ),
            ("contact:tiktok", "acme", Some("https://www.tiktok.com/@acme")),
            ("contact:facebook", "yes", None),
        ];
        for (key, value, expected) in cases {
            let found = socials(&Tags::pack([(key, value)]));
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{key}={value}");
        }
    }
}
