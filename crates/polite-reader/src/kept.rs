//! Pages and reports as they are kept, in a visit and for a day after: compressed where they came
//! so, which is a fourth of the memory or less. They are opened when somebody wants to read them.

use bytes::Bytes;

use crate::decode::{Decoded, Packed};
use crate::failure::Failure;
use crate::lending::Lending;
use crate::limits::SITE_BYTES_MAX;
use crate::reader::Inner;
use crate::report::{FetchedPage, PageKind, SiteReport, shortened};

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
    /// Whether the same read may end otherwise at another time.
    pub(crate) transient: bool,
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
        self.body.len()
            + self.opened.as_ref().map_or(0, |opened| opened.body.len())
            + self.url.len()
            + self.content_type.as_ref().map_or(0, String::len)
            + 200
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
        Self { outline, pages: Vec::new(), scripts: Vec::new(), transient: false }
    }

    /// The report as it is handed out: open, and counted until it is let go of.
    pub(crate) async fn lend(&self, inner: &Inner) -> SiteReport {
        let mut report = self.outline.clone();
        report.add_lent(&self.pages, &inner.lent_pages).await;
        report.add_lent(&self.scripts, &inner.lent_scripts).await;
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

impl FetchedPage {
    fn cut_to(self, room: usize) -> Self {
        let kept = self.body.len().min(room);
        let cut = self.cut || kept < self.body.len();
        // A copy where it is cut, so that the rest can go.
        let body = if kept < self.body.len() { Bytes::copy_from_slice(&self.body[..kept]) } else { self.body };
        Self { body, cut, ..self }
    }
}

impl SiteReport {
    /// Adds pages or scripts, opened when there is room for all of them.
    pub(crate) async fn add_lent(&mut self, pages: &[KeptPage], lending: &Lending) {
        let reserved = lending.reserve(pages.iter().map(|page| page.body.open_bytes_max()).sum()).await;
        let mut room = SITE_BYTES_MAX;
        for page in pages {
            // What is small when compressed may be large when open, six times over.
            let opened = page.open().map(|open| open.cut_to(room));
            room -= opened.as_ref().map_or(0, |open| open.body.len());
            self.add(opened, &page.url);
        }
        self.lent.add(reserved, SITE_BYTES_MAX - room);
    }

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
                self.detail = Some(shortened(format!("{url}: {failure}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Encoding;
    use crate::report::SiteStatus;

    #[tokio::test]
    async fn a_report_of_large_pages_is_cut_where_a_site_must_end() {
        let page = |at: usize| KeptPage {
            url: format!("http://shop.com/{at}"),
            content_type: None,
            body: Packed::new(Bytes::from(vec![b'x'; SITE_BYTES_MAX / 2 - 1]), Encoding::Identity, usize::MAX),
            kind: PageKind::About,
            opened: None,
        };
        let outline =
            SiteReport { complete: true, ..SiteReport::without_pages(SiteStatus::Ok, "http://shop.com/", None) };
        let lending = Lending::new(SITE_BYTES_MAX);
        let mut report = outline.clone();
        report.add_lent(&[page(1), page(2)], &lending).await;
        assert!(report.complete);
        drop(report);
        let mut report = outline;
        report.add_lent(&[page(1), page(2), page(3)], &lending).await;
        assert_eq!(report.pages.iter().map(|page| page.body.len()).sum::<usize>(), SITE_BYTES_MAX);
        assert!(!report.complete && report.pages[2].cut);
    }
}
