//! Extracts facts from the pages of one website: emails, phones, people, addresses, opening hours, social profiles,
//! structured data and technology. Every finding carries its evidence: page, method and snippet.
//!
//! Pure: no network, no clock, no errors. Hostile input gives fewer findings, never a panic, in linear time.
//!
//! ```
//! use page_facts::{Context, RawPage, facts};
//!
//! let page = RawPage {
//!     url: "https://joes-plumbing.com/contact",
//!     content_type: Some("text/html; charset=utf-8"),
//!     body: b"<p>Write to <a href='mailto:joe@joes-plumbing.com'>Joe</a></p>",
//! };
//! let found = facts(&[page], &Context::default());
//! assert_eq!(found.emails[0].email, "joe@joes-plumbing.com");
//! ```

mod addresses;
mod blocks;
mod budget;
mod byte_set;
mod charset;
mod country;
mod digits;
mod document;
mod domains;
mod elements;
mod emails;
mod explain;
mod extract;
mod facts;
mod finders;
mod hours;
mod literals;
mod page;
mod parsed;
mod people;
mod phones;
mod prescan;
mod site;
mod socials;
mod structured;
mod tag_roles;
mod tags;
mod technology;
mod text;
mod tokenizer;
mod view;
mod word_set;

pub use budget::steps_max;
pub use domains::is_free_mail;
pub use emails::confidence::{DomainKind, EmailOrigin, confidence, with_mail_servers};
pub use emails::listed::{ListedEmail, listed_email};
pub use explain::{Decision, Verdict, explain};
pub use extract::facts;
pub use facts::{
    Address, CutPage, CutReason, EmailType, Evidence, FoundAddress, FoundEmail, FoundHours, FoundPerson, FoundPhone,
    FoundSocial, FoundTechnology, Method, PageSummary, PhoneKind, SchemaOrg, SiteFacts, Technology,
};
pub use finders::Finder;
pub use page::{Context, PAGE_BYTES_MAX, RawPage};
pub use socials::profile as social_profile;
pub use technology::rules::{Category, RuleSummary, rule_summaries};
pub use view::{FactsView, SignalsView};
