//! Pages and reports as they are kept, in a visit and for a day after: compressed where they came
//! so, which is a fourth of the memory or less. They are opened when somebody wants to read them.

use crate::decode::{Decoded, Packed};
use crate::failure::Failure;
use crate::report::{FetchedPage, PageKind, SiteReport};

/// One page as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct KeptPage {
    pub(crate) url: String,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Packed,
    pub(crate) kind: PageKind,
    /// The body opened before, while there is memory for it.
    pub(crate) opened: Option<Decoded>,
}

/// One report as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct KeptReport {
    /// Everything but the pages.
    pub(crate) outline: SiteReport,
    pub(crate) pages: Vec<KeptPage>,
    pub(crate) scripts: Vec<KeptPage>,
}

impl KeptPage {
    /// The page with its compression taken off.
    pub(crate) fn open(&self) -> Result<FetchedPage, Failure> {
        let Decoded { body, cut } = match &self.opened {
            Some(opened) => opened.clone(),
            None => self.body.open()?,
        };
        Ok(FetchedPage { url: self.url.clone(), content_type: self.content_type.clone(), body, cut, kind: self.kind })
    }

    /// Bytes kept, near enough.
    pub(crate) fn weight_bytes(&self) -> usize {
        self.body.len() + self.opened.as_ref().map_or(0, |opened| opened.body.len()) + self.url.len() + 200
    }

    /// The page without its body, for those who only want to know that it was there.
    pub(crate) fn emptied(self) -> Self {
        Self { body: Packed::default(), opened: None, ..self }
    }

    /// The page without what was opened of it.
    pub(crate) fn shut(self) -> Self {
        Self { opened: None, ..self }
    }
}

impl KeptReport {
    pub(crate) fn without_pages(outline: SiteReport) -> Self {
        Self { outline, pages: Vec::new(), scripts: Vec::new() }
    }

    /// The report as it is handed out.
    pub(crate) fn open(&self) -> SiteReport {
        let mut report = self.outline.clone();
        for page in &self.pages {
            report.add(page.open(), &page.url);
        }
        for script in &self.scripts {
            report.add(script.open(), &script.url);
        }
        report
    }

    /// The report as it is remembered.
    pub(crate) fn shut(mut self) -> Self {
        self.pages = self.pages.into_iter().map(KeptPage::shut).collect();
        self
    }

    /// Bytes kept, near enough.
    pub(crate) fn weight_bytes(&self) -> usize {
        let pages: usize = self.pages.iter().chain(&self.scripts).map(KeptPage::weight_bytes).sum();
        pages + self.outline.url.len() + self.outline.detail.as_ref().map_or(0, String::len) + 256
    }
}

impl SiteReport {
    /// Adds a page, or what went wrong with opening it.
    pub(crate) fn add(&mut self, page: Result<FetchedPage, Failure>, url: &str) {
        match page {
            Ok(page) => {
                self.complete &= !page.cut;
                let list = if page.kind == PageKind::Script { &mut self.scripts } else { &mut self.pages };
                list.push(page);
            }
            Err(failure) => {
                self.complete = false;
                self.detail = Some(format!("{url}: {failure}"));
            }
        }
    }
}
