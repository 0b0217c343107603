//! Generated websites for the reader's benchmark: the same bytes on every machine and every run.
//! Pages look like those of small businesses: navigation, inline styles and scripts, words, contact details,
//! structured data. About a tenth of a page is visible text and it packs to about a quarter, as real pages do
//! (of 330 real ones the median is 8 % text, packed to 18 %).

use std::fmt::Write as _;

/// Pages every site has, the first one at `/`.
pub const PAGE_PATHS: [&str; 5] = ["/", "/contact", "/about-us", "/our-team", "/impressum"];

/// Bytes of a page before compression, near enough.
const PAGE_BYTES: usize = 81_000;

/// What every site says to robots.
pub const ROBOTS: &str = "User-agent: *\nDisallow: /wp-admin/\nDisallow: /cart\nAllow: /wp-admin/admin-ajax.php\n\nUser-agent: badbot\nDisallow: /\n\nSitemap: /sitemap.xml\n";

const WORDS: &str = "our family has been baking bread since nineteen hundred and twelve in the same street with flour from the mill \
    next door every morning at four the ovens are lit by hand customers come for sourdough rye croissants cakes and coffee we \
    deliver to offices schools restaurants hotels weddings parties please call or write before noon opening hours monday friday \
    saturday closed sunday parking behind house wheelchair access dogs welcome gift cards available online service quality local \
    trusted licensed insured emergency repair installation maintenance free estimate satisfaction guaranteed years experience team \
    professional friendly affordable residential commercial roof plumbing heating cooling water drain kitchen bathroom garden design";

const FIRST_NAMES: [&str; 12] =
    ["Anna", "Marcus", "Elena", "David", "Sofia", "James", "Priya", "Tom", "Lucia", "Ahmed", "Grace", "Peter"];
const LAST_NAMES: [&str; 12] = [
    "Miller",
    "Okafor",
    "Rossi",
    "Schneider",
    "Nguyen",
    "Walker",
    "Costa",
    "Novak",
    "Ortiz",
    "Haddad",
    "Larsen",
    "Young",
];

/// A small generator of numbers: same seed, same numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// One page of one site.
#[must_use]
pub fn page(site: usize, path: &str) -> String {
    let seed = site * 31 + PAGE_PATHS.iter().position(|known| *known == path).unwrap_or(9) + 1;
    let mut numbers = Numbers((seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut out = String::with_capacity(PAGE_BYTES + 4_000);
    head(&mut out, site, path);
    contact(&mut out, site, &mut numbers);
    let mut section = 0;
    while out.len() < PAGE_BYTES {
        section += 1;
        if section % 2 == 0 {
            script(&mut out, &mut numbers);
        }
        text(&mut out, section, (&mut numbers, &words));
    }
    out.push_str("</main><footer><p>&copy; 2026 All rights reserved</p></footer></body></html>");
    out
}

fn head(out: &mut String, site: usize, path: &str) {
    let _ = write!(
        out,
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Business {site} {path}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" content=\"WordPress 6.8\">\
         <link rel=\"stylesheet\" href=\"/wp-content/themes/trade/style.css\"></head><body class=\"home page\"><header><nav><ul>"
    );
    for (path, text) in [
        ("/", "Home"),
        ("/contact", "Contact"),
        ("/about-us", "About us"),
        ("/our-team", "Our team"),
        ("/impressum", "Impressum"),
    ] {
        let _ = write!(out, "<li class=\"menu-item\"><a href=\"{path}\" class=\"link\">{text}</a></li>");
    }
    out.push_str("</ul></nav></header><main>");
}

fn contact(out: &mut String, site: usize, numbers: &mut Numbers) {
    let (first, last) = (numbers.pick(&FIRST_NAMES), numbers.pick(&LAST_NAMES));
    let phone = 1000 + site % 9000;
    let _ = write!(
        out,
        "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"LocalBusiness\",\"name\":\"Business {site}\",\
         \"telephone\":\"+1 512 555 {phone}\",\"founder\":{{\"@type\":\"Person\",\"name\":\"{first} {last}\"}}}}</script>\
         <p>Owner: {first} {last}</p><p><a href=\"mailto:info@business{site}.com\">info@business{site}.com</a> or {first} [at] business{site} (dot) com</p>\
         <p><a href=\"tel:+1512555{phone}\">(512) 555-{phone}</a></p><a href=\"https://www.facebook.com/business{site}\">Facebook</a>\
         <a href=\"https://www.instagram.com/business{site}\">Instagram</a>\
         <script async src=\"https://www.google-analytics.com/analytics.js\"></script>"
    );
}

fn script(out: &mut String, numbers: &mut Numbers) {
    let _ = write!(out, "<script>window.dataLayer=window.dataLayer||[];var settings={{");
    for _ in 0..20 {
        let _ = write!(
            out,
            "\"k{:x}\":\"{:x}{:x}\",",
            numbers.below(1 << 20),
            numbers.below(1 << 30),
            numbers.below(1 << 30)
        );
    }
    out.push_str(
        "\"end\":1};</script><style>.wp-block-group{display:flex;margin:0 auto;padding:var(--space-20)}</style>",
    );
}

fn text(out: &mut String, section: usize, source: (&mut Numbers, &[&str])) {
    let (numbers, words) = source;
    let _ = write!(
        out,
        "<section id=\"s{section}\" class=\"wp-block-group alignwide has-background\"><div class=\"wp-block-column is-layout-flow\">\
         <h2 class=\"wp-block-heading\">{} {}</h2><img src=\"/wp-content/uploads/2025/0{}/photo-{}.jpg\" alt=\"{}\" loading=\"lazy\"><p>",
        numbers.pick(words),
        numbers.pick(words),
        1 + numbers.below(9),
        numbers.below(90_000),
        numbers.pick(words)
    );
    for _ in 0..8 + numbers.below(14) {
        out.push_str(numbers.pick(words));
        out.push(if numbers.below(12) == 0 { ',' } else { ' ' });
    }
    let _ = write!(
        out,
        "</p><a class=\"wp-block-button__link\" href=\"{}\">Read more</a></div></section>",
        numbers.pick(&PAGE_PATHS[1..])
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_the_same_every_time_and_of_the_size_they_should_be() {
        for path in PAGE_PATHS {
            let page = page(7, path);
            assert_eq!(page, super::page(7, path));
            assert!((PAGE_BYTES..PAGE_BYTES + 4_000).contains(&page.len()), "{}", page.len());
        }
        assert_ne!(page(1, "/"), page(2, "/"));
    }
}
