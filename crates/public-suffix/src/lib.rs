//! Registrable domains of hosts, by the public suffix list.
//!
//! The list is code, and large. In a crate of its own, behind functions that are not inlined, it is compiled once and not again into
//! every crate that asks it.

/// The registrable domain of a host: `example.co.uk` of `shop.example.co.uk`. None if the host is itself a suffix.
#[inline(never)]
pub fn domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// The suffix under which names of the host are registered, on the list or not.
#[inline(never)]
pub fn suffix(host: &str) -> Option<&str> {
    psl::suffix_str(host)
}

/// Whether the list has the suffix of this host. The last label of any host counts as a suffix otherwise.
#[inline(never)]
pub fn has_known_suffix(host: &str) -> bool {
    psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_one_label_and_a_suffix() {
        assert_eq!(domain("shop.example.co.uk"), Some("example.co.uk"));
        assert_eq!(domain("co.uk"), None);
        assert_eq!(suffix("shop.example.co.uk"), Some("co.uk"));
        assert_eq!(domain("example.nosuchsuffix"), Some("example.nosuchsuffix"));
    }

    #[test]
    fn only_suffixes_on_the_list_are_known() {
        assert!(has_known_suffix("example.com"));
        assert!(!has_known_suffix("example.nosuchsuffix"));
    }
}
