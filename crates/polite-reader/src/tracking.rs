//! Tracking parameters of URLs, which are removed so that each page has one URL.

use url::Url;

/// Query parameters that only say where a visitor came from.
const TRACKING: [&str; 24] = [
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "wbraid",
    "gbraid",
    "msclkid",
    "twclid",
    "ttclid",
    "igshid",
    "igsh",
    "yclid",
    "mc_cid",
    "mc_eid",
    "y_source",
    "ref_src",
    "_ga",
    "_gl",
    "srsltid",
    "hsa_acc",
    "hsa_cam",
    "hsctatracking",
    "rwg_token",
    "sc_cid",
];

fn is_tracking_parameter(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || name.starts_with("mkt_") || TRACKING.contains(&name.as_str())
}

/// Removes tracking parameters from a URL, so that each page has one URL.
pub(crate) fn drop_tracking(url: &mut Url) {
    if url.query().is_none() {
        return;
    }
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking_parameter(name))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    if kept.len() == url.query_pairs().count() {
        return;
    }
    url.set_query(None);
    if !kept.is_empty() {
        url.query_pairs_mut().extend_pairs(kept);
    }
}
