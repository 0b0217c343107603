//! Merges what was detected on all pages of a site, and picks one technology for each category.
//!
//! A site that moved from one system to another keeps traces of the old one: a style sheet of WooCommerce on a shop of
//! Shopify, a button of Shopify on a site of Wix. The platform is what serves the pages, so the best supported one is picked
//! first. A shop counts only if it belongs to that platform or works on any.

use rustc_hash::FxHashMap;

use super::TechnologyMention;
use super::rules::{Category, RULES, Rule};
use crate::explain;
use crate::facts::{Evidence, FoundTechnology, Technology};

/// A technology and how well it is supported.
struct Ranked {
    weight: u32,
    rule: &'static Rule,
    technology: FoundTechnology,
    /// Whether all that supports it are files of a WordPress plugin or theme.
    is_plugin: bool,
}

/// Merges the mentions of all pages and picks one for each category.
pub(crate) fn merge(mentions: &[(String, TechnologyMention)]) -> Technology {
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut places: FxHashMap<(&str, Category), usize> = FxHashMap::default();
    for (url, mention) in mentions {
        let rule = &RULES.list[mention.rule];
        let weight = u32::from(mention.weight) * 100;
        let evidence = || Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
        let place = *places.entry((rule.slug.as_str(), rule.categories[0])).or_insert(ranked.len());
        match ranked.get_mut(place) {
            Some(known) => {
                known.technology.version = known.technology.version.take().or_else(|| mention.version.clone());
                if weight > known.weight {
                    known.technology.evidence = evidence();
                }
                known.weight = weight.max(known.weight) + 1;
                known.is_plugin &= mention.is_plugin;
            }
            None => {
                let technology = FoundTechnology {
                    slug: rule.slug.clone(),
                    name: rule.name.clone(),
                    category: rule.categories[0],
                    version: mention.version.clone(),
                    evidence: evidence(),
                };
                ranked.push(Ranked { weight, rule, technology, is_plugin: mention.is_plugin });
            }
        }
    }
    // The sort is stable, so the same pages always give the same pick among equals.
    ranked.sort_by_key(|one| std::cmp::Reverse(one.weight));
    drop_leftovers(&mut ranked);
    pick(&ranked)
}

/// Removes what belongs to another platform than the one that serves the pages.
fn drop_leftovers(ranked: &mut Vec<Ranked>) {
    let Some(platform) = ranked.iter().find(|one| one.rule.categories.contains(&Category::Platform)) else { return };
    let (serving, weight) = (platform.rule, platform.weight);
    ranked.retain(|one| {
        let home = one.rule.part_of.as_deref().or(one.is_plugin.then_some("wordpress"));
        let is_part_of_other = home.is_some_and(|home| home != serving.slug);
        // A second platform is listed if it is as well supported: part of the site may run on it.
        let is_weaker_platform = one.rule.categories.contains(&Category::Platform) && one.weight / 100 < weight / 100;
        let is_leftover = is_part_of_other || (is_weaker_platform && one.rule.slug != serving.slug);
        if is_leftover {
            let finder = one.rule.categories[0].finder();
            explain::refused(finder, "a leftover: another platform serves the site", &one.rule.name);
        }
        !is_leftover
    });
}

fn pick(ranked: &[Ranked]) -> Technology {
    let of = |category: Category| -> Vec<FoundTechnology> {
        let fitting = ranked.iter().filter(|one| one.rule.categories.contains(&category));
        fitting.map(|one| FoundTechnology { category, ..one.technology.clone() }).collect()
    };
    let best = |category: Category| of(category).into_iter().next();
    Technology {
        platform: best(Category::Platform),
        ecommerce: shop(ranked),
        booking: best(Category::Booking),
        online_ordering: best(Category::Ordering),
        chat: best(Category::Chat),
        ad_networks: by_slug(of(Category::AdNetwork)),
        analytics: by_slug(of(Category::Analytics)),
        all: ranked.iter().map(|one| one.technology.clone()).collect(),
    }
}

/// What the site sells with: the platform if it is a shop, else a shop that works within any site.
fn shop(ranked: &[Ranked]) -> Option<FoundTechnology> {
    let is = |one: &&Ranked, category: Category| one.rule.categories.contains(&category);
    let platform = ranked.iter().find(|one| is(one, Category::Platform));
    let platform_shop = platform.filter(|one| is(one, Category::Ecommerce));
    let shop = platform_shop
        .or_else(|| ranked.iter().find(|one| is(one, Category::Ecommerce) && !is(one, Category::Platform)))?;
    Some(FoundTechnology { category: Category::Ecommerce, ..shop.technology.clone() })
}

fn by_slug(mut list: Vec<FoundTechnology>) -> Vec<FoundTechnology> {
    list.sort_by(|a, b| a.slug.cmp(&b.slug));
    list.dedup_by(|a, b| a.slug == b.slug);
    list
}

#[cfg(test)]
mod tests {
    use crate::page::{Context, RawPage};

    /// The platform and the shop of a page.
    fn picks(html: &str) -> (String, String) {
        let page = RawPage { url: "https://acme-goods-test.com/", content_type: None, body: html.as_bytes() };
        let technology = crate::extract::facts(&[page], &Context::default()).technology;
        let slug = |found: Option<crate::FoundTechnology>| found.map_or(String::new(), |found| found.slug);
        (slug(technology.platform), slug(technology.ecommerce))
    }

    #[test]
    fn the_platform_serves_the_page_and_the_shop_belongs_to_it() {
        let shopify = "<meta name=\"shopify-digital-wallet\" content=\"/1\"><script src=\"/cdn/shop/t/1/assets/theme.js\"></script>";
        let wordpress = "<link rel=stylesheet href=\"/wp-content/themes/acme/style.css\">";
        let woo = "<link rel=stylesheet href=\"/wp-content/plugins/woocommerce/assets/css/a.css\">";
        let button = "<script>s='https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js'</script>";
        let wix = "<meta name=generator content=\"Wix.com Website Builder\">";
        let square = "<script src=\"https://static1.squarespace.com/static/x.js\"></script>";
        for (html, platform, shop) in [
            (shopify.to_owned(), "shopify", "shopify"),
            (format!("{woo}{shopify}"), "shopify", "shopify"),
            (format!("{shopify}<img src=\"/wp-content/uploads/2019/05/a.jpg\">"), "shopify", "shopify"),
            (format!("{wordpress}{woo}"), "wordpress", "woocommerce"),
            (format!("{wordpress}{button}"), "wordpress", "shopify_buy_button"),
            (format!("{wix}{woo}"), "wix", ""),
            (format!("{wix}<a class=\"sqs-add-to-cart-button\">Buy</a>"), "wix", ""),
            (format!("{square}<a class=\"sqs-add-to-cart-button\">Buy</a>"), "squarespace", "squarespace_commerce"),
            (format!("{wordpress}<img src=\"https://cdn.shopify.com/s/files/1/a.jpg\">"), "wordpress", ""),
            (format!("{wordpress}<script>x='https://cdn.shopify.com/s/files/1/2/a.js'</script>"), "wordpress", ""),
            (format!("{wordpress}<div class=\"Magento_Theme-header\"></div>"), "wordpress", ""),
            ("<img src=\"https://static.wixstatic.com/media/a.jpg\">".to_owned(), "", ""),
            ("<script>x={img:'https://static.wixstatic.com/media/a.jpg'}</script>".to_owned(), "", ""),
        ] {
            assert_eq!(picks(&html), (platform.to_owned(), shop.to_owned()), "{html}");
        }
    }
}
