//! Any text as the website of a listing, and any URL: no panic, and no accepted address is private.
#![no_main]

use std::net::IpAddr;

use libfuzzer_sys::fuzz_target;
use polite_reader::{AddressGuard, Target, listed_website, names_own_site};
use url::Url;

fuzz_target!(|text: &str| {
    let _ = listed_website(text);
    let _ = names_own_site(text);
    let Ok(url) = Url::parse(text) else { return };
    match AddressGuard::new(Vec::new()).check_url(&url) {
        Ok(Target::Address(address)) => match address.ip() {
            IpAddr::V4(ip) => assert!(!ip.is_private() && !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified()),
            IpAddr::V6(ip) => assert!(ip.to_ipv4().is_none() && !ip.is_loopback() && ip.segments()[0] & 0xe000 == 0x2000),
        },
        Ok(Target::Name(name, _)) => {
            assert!(name.parse::<IpAddr>().is_err() && name.contains('.') && !name.ends_with("localhost"));
        }
        Err(_) => {}
    }
});
