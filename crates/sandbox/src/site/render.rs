//! Renders one page of a website from its plan by filling the platform's template.

use crate::random::{Purpose, Random};
use crate::site::content;
use crate::site::pages::PagePlan;
use crate::site::plan::{Plan, Subject};
use crate::site::renderer::{Pixels, Renderer};
use crate::site::text::fill;

/// Initial capacity, which most pages do not exceed.
const PAGE_BYTES: usize = 40 * 1024;

/// Renders a page.
pub(crate) fn page(subject: &Subject<'_>, plan: &Plan, page: &PagePlan, pixels: Pixels) -> String {
    let [town, trade, number] = subject.key.keys();
    let random = Random::of(subject.seed, Purpose::Page, &[town, trade, number, page.kind as u64]);
    let cursor = (plan.look % 1_000) as usize + page.kind as usize * 5;
    let mut renderer = Renderer { subject, plan, page, random, cursor };
    let mut body = String::with_capacity(PAGE_BYTES / 2);
    content::write(&mut renderer, &mut body);
    let mut out = String::with_capacity(PAGE_BYTES);
    let template = plan.platform.template();
    fill(&mut out, template.frame, &mut |slot, out| {
        match slot {
            "content" => out.push_str(&body),
            "head" => renderer.head(out, pixels),
            _ => return renderer.slot(slot, out),
        }
        true
    });
    renderer.spoil(out)
}
