//! Reads the pages of one website and says what stands there: emails, phones, people, socials, structured data
//! and technology, each finding with the page, the method and a snippet that prove it.
//!
//! Pure: no network, no clock, no errors. Hostile bytes give fewer findings, never a panic, in linear time.
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

mod budget;
mod charset;
mod document;
mod domains;
mod emails;
mod facts;
mod finders;
mod glances;
mod literals;
mod page;
mod parts;
mod people;
mod phones;
mod read;
mod regions;
mod site;
mod socials;
mod structured;
mod tags;
mod technology;
mod text;
mod view;
mod walk;
mod words;

pub use budget::steps_max;
pub use emails::confidence::{DomainKind, EmailOrigin, confidence, with_mail_servers};
pub use facts::{
    Address, CutPage, CutReason, EmailType, Evidence, FoundEmail, FoundPerson, FoundPhone, FoundSocial,
    FoundTechnology, Method, PageSummary, PhoneKind, SchemaOrg, SiteFacts, Technology,
};
pub use finders::Finder;
pub use page::{Context, PAGE_BYTES_MAX, RawPage};
pub use read::facts;
pub use technology::rules::{Category, RuleSummary, rule_summaries};
pub use view::{FactsView, SignalsView};
