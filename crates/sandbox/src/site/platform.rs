//! The platforms websites are built with, who uses them, and their page templates.

use crate::random::Random;

/// The platform of a website.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Platform {
    WordPress,
    Elementor,
    Divi,
    Wix,
    Squarespace,
    Shopify,
    Webflow,
    GoDaddy,
    Weebly,
    Duda,
    Joomla,
    Drupal,
    SquareOnline,
    HubSpot,
    Framer,
    /// Tables and fonts, as of 2004.
    Handmade,
    /// A modern JavaScript framework.
    Modern,
    /// Hand-written with a CSS library.
    Bootstrap,
}

/// Relative frequency of each platform.
const SHARES: [(Platform, usize); 16] = [
    (Platform::WordPress, 16),
    (Platform::Elementor, 12),
    (Platform::Divi, 8),
    (Platform::Wix, 13),
    (Platform::Squarespace, 10),
    (Platform::GoDaddy, 8),
    (Platform::Duda, 5),
    (Platform::Webflow, 4),
    (Platform::Weebly, 4),
    (Platform::Joomla, 3),
    (Platform::Drupal, 3),
    (Platform::HubSpot, 2),
    (Platform::Framer, 2),
    (Platform::Handmade, 6),
    (Platform::Modern, 4),
    (Platform::Bootstrap, 4),
];

/// A page template in its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Template {
    /// The whole page.
    pub(crate) frame: &'static str,
    /// One menu entry.
    pub(crate) item: &'static str,
    /// One section of the content.
    pub(crate) section: &'static str,
}

impl Platform {
    /// A random platform; shops prefer platforms that sell.
    pub(crate) fn draw(random: &mut Random, group: &str) -> Platform {
        let sells = matches!(group, "shop" | "food");
        if sells && random.percent(14.0) {
            return if group == "food" { Platform::SquareOnline } else { Platform::Shopify };
        }
        let all: usize = SHARES.iter().map(|(_, share)| share).sum();
        let mut drawn = random.below(all);
        for (platform, share) in SHARES {
            if drawn < share {
                return platform;
            }
            drawn -= share;
        }
        Platform::WordPress
    }

    /// Its slug in page-facts; `None` for sites without a known platform.
    pub(crate) fn slug(self) -> Option<&'static str> {
        Some(match self {
            Platform::WordPress | Platform::Elementor | Platform::Divi => "wordpress",
            Platform::Wix => "wix",
            Platform::Squarespace => "squarespace",
            Platform::Shopify => "shopify",
            Platform::Webflow => "webflow",
            Platform::GoDaddy => "godaddy",
            Platform::Weebly => "weebly",
            Platform::Duda => "duda",
            Platform::Joomla => "joomla",
            Platform::Drupal => "drupal",
            Platform::SquareOnline => "square_online",
            Platform::HubSpot => "hubspot_cms",
            Platform::Framer => "framer",
            Platform::Handmade | Platform::Modern | Platform::Bootstrap => return None,
        })
    }

    /// Whether everything built with it is a shop.
    pub(crate) fn is_shop(self) -> bool {
        matches!(self, Platform::Shopify | Platform::SquareOnline)
    }

    /// The path of a page in the platform's style.
    pub(crate) fn path(self, word: &str) -> String {
        match self {
            Platform::WordPress | Platform::Elementor | Platform::Divi => format!("/{word}/"),
            Platform::Shopify => format!("/pages/{word}"),
            Platform::Joomla => format!("/index.php/{word}"),
            Platform::Weebly | Platform::Bootstrap => format!("/{word}.html"),
            Platform::Handmade => format!("/{word}.htm"),
            _ => format!("/{word}"),
        }
    }

    pub(crate) fn template(self) -> Template {
        let text = match self {
            Platform::WordPress => include_str!("templates/wordpress.html"),
            Platform::Elementor => include_str!("templates/elementor.html"),
            Platform::Divi => include_str!("templates/divi.html"),
            Platform::Wix => include_str!("templates/wix.html"),
            Platform::Squarespace => include_str!("templates/squarespace.html"),
            Platform::Shopify => include_str!("templates/shopify.html"),
            Platform::Webflow => include_str!("templates/webflow.html"),
            Platform::GoDaddy => include_str!("templates/godaddy.html"),
            Platform::Weebly => include_str!("templates/weebly.html"),
            Platform::Duda => include_str!("templates/duda.html"),
            Platform::Joomla => include_str!("templates/joomla.html"),
            Platform::Drupal => include_str!("templates/drupal.html"),
            Platform::SquareOnline => include_str!("templates/square_online.html"),
            Platform::HubSpot => include_str!("templates/hubspot.html"),
            Platform::Framer => include_str!("templates/framer.html"),
            Platform::Handmade => include_str!("templates/handmade.html"),
            Platform::Modern => include_str!("templates/modern.html"),
            Platform::Bootstrap => include_str!("templates/bootstrap.html"),
        };
        let (frame, parts) = text.split_once("%% item\n").unwrap_or((text, ""));
        let (item, section) = parts.split_once("%% section\n").unwrap_or(("{label}", "{heading}{body}"));
        Template { frame, item, section }
    }

    #[cfg(test)]
    pub(crate) fn all() -> Vec<Platform> {
        SHARES.iter().map(|(platform, _)| *platform).chain([Platform::Shopify, Platform::SquareOnline]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_has_its_parts_and_placeholders() {
        for platform in Platform::all() {
            let Template { frame, item, section } = platform.template();
            for slot in ["{title}", "{nav}", "{content}", "{footer}", "{head}", "{end}", "{css}", "{js}"] {
                assert_eq!(frame.matches(slot).count(), 1, "{platform:?} {slot}");
            }
            assert!(item.contains("{href}") && item.contains("{label}"), "{platform:?}");
            assert!(section.contains("{heading}") && section.contains("{body}"), "{platform:?}");
        }
    }
}
