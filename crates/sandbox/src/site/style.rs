//! Style sheets that make pages look real in a browser. Every site serves its own, so nothing is loaded from elsewhere; the
//! platform determines the style and the site the colour.

use std::fmt::Write;

use crate::site::plan::Plan;
use crate::site::platform::Platform;

/// Path of every site's style sheet.
pub(crate) const SHEET_PATH: &str = "/assets/site.css";

const BASE: &str = include_str!("styles/base.css");
const OLD: &str = include_str!("styles/old.css");

const SANS: &str = "-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif";
const SERIF: &str = "Georgia,\"Times New Roman\",serif";
const HUMANIST: &str = "\"Gill Sans\",\"Trebuchet MS\",Calibri,sans-serif";
const SLAB: &str = "Rockwell,\"Roboto Slab\",\"Courier New\",serif";
const MONO: &str = "ui-monospace,Menlo,Consolas,monospace";

/// The bar at the top of a page.
#[derive(Clone, Copy)]
enum Bar {
    Light,
    Dark,
    Coloured,
}

/// The first section of a page.
#[derive(Clone, Copy)]
enum Hero {
    Gradient,
    Pale,
    Dark,
    Plain,
}

/// The style of a platform's sites, except for the colour.
#[derive(Clone, Copy)]
struct Style {
    head_font: &'static str,
    body_font: &'static str,
    bar: Bar,
    hero: Hero,
    /// Corner radius of cards, in pixels.
    radius: u8,
    /// Corner radius of buttons, in pixels.
    button: u8,
    /// Maximum width of the content, in pixels.
    width: u16,
}

impl Style {
    /// A style with square corners and the usual width.
    const fn new(head_font: &'static str, body_font: &'static str, bar: Bar, hero: Hero) -> Style {
        Style { head_font, body_font, bar, hero, radius: 0, button: 0, width: 1_000 }
    }

    /// Sets the corner radius of cards and buttons, and the maximum width.
    const fn sized(self, radius: u8, button: u8, width: u16) -> Style {
        Style { radius, button, width, ..self }
    }
}

fn style_of(platform: Platform) -> Style {
    match platform {
        Platform::WordPress => Style::new(SERIF, SANS, Bar::Light, Hero::Gradient).sized(6, 6, 1080),
        Platform::Elementor => Style::new(SANS, SANS, Bar::Dark, Hero::Gradient).sized(10, 30, 1140),
        Platform::Divi => Style::new(HUMANIST, HUMANIST, Bar::Light, Hero::Dark).sized(3, 3, 1080),
        Platform::Wix => Style::new(HUMANIST, SANS, Bar::Light, Hero::Pale).sized(0, 0, 980),
        Platform::Squarespace => Style::new(SERIF, SERIF, Bar::Dark, Hero::Plain).sized(0, 0, 1000),
        Platform::Shopify | Platform::SquareOnline => Style::new(SANS, SANS, Bar::Light, Hero::Plain).sized(8, 4, 1200),
        Platform::Webflow | Platform::HubSpot => Style::new(SANS, SANS, Bar::Light, Hero::Pale).sized(14, 10, 1120),
        Platform::GoDaddy | Platform::Duda => Style::new(HUMANIST, SANS, Bar::Coloured, Hero::Pale).sized(4, 24, 1060),
        Platform::Weebly => Style::new(SLAB, SANS, Bar::Light, Hero::Gradient).sized(2, 2, 960),
        Platform::Joomla | Platform::Drupal => Style::new(SANS, SERIF, Bar::Coloured, Hero::Plain).sized(4, 4, 1040),
        Platform::Framer => Style::new(SANS, SANS, Bar::Dark, Hero::Dark).sized(18, 40, 1100),
        Platform::Modern => Style::new(MONO, SANS, Bar::Light, Hero::Dark).sized(12, 8, 1024),
        Platform::Bootstrap | Platform::Handmade => Style::new(SANS, SANS, Bar::Light, Hero::Gradient).sized(6, 6, 960),
    }
}

/// The style sheet of a site.
pub(crate) fn sheet(plan: &Plan) -> String {
    if plan.platform == Platform::Handmade {
        return OLD.to_owned();
    }
    let mut out = String::with_capacity(BASE.len() + 1_024);
    variables(&mut out, style_of(plan.platform), hue(plan.look));
    out.push_str(BASE);
    out
}

/// The hue of a site, in degrees.
pub(crate) fn hue(look: u64) -> u64 {
    look % 360
}

fn variables(out: &mut String, style: Style, hue: u64) {
    let (bar, bar_ink) = match style.bar {
        Bar::Light => ("#fff".to_owned(), "#222".to_owned()),
        Bar::Dark => (format!("hsl({hue},25%,14%)"), "#fff".to_owned()),
        Bar::Coloured => (format!("hsl({hue},45%,32%)"), "#fff".to_owned()),
    };
    let (hero, hero_ink) = match style.hero {
        Hero::Gradient => {
            let to = (hue + 40) % 360;
            (format!("linear-gradient(135deg,hsl({hue},48%,30%),hsl({to},45%,42%))"), "#fff".to_owned())
        }
        Hero::Pale => (format!("hsl({hue},45%,93%)"), format!("hsl({hue},35%,20%)")),
        Hero::Dark => (format!("hsl({hue},20%,12%)"), "#f4f4f4".to_owned()),
        Hero::Plain => ("#faf9f7".to_owned(), "#222".to_owned()),
    };
    let Style { head_font, body_font, radius, button, width, .. } = style;
    let _ = writeln!(
        out,
        ":root{{--accent:hsl({hue},52%,36%);--heading:hsl({hue},30%,18%);--ink:#2c2c2c;--paper:#fff;--card:#fff;--line:#ccd;\
         --bar:{bar};--bar-ink:{bar_ink};--hero:{hero};--hero-ink:{hero_ink};--foot:hsl({hue},20%,15%);--foot-ink:#ddd;\
         --head-font:{head_font};--body-font:{body_font};--radius:{radius}px;--button:{button}px;--width:{width}px}}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_sheets_load_nothing_from_elsewhere_and_are_small() {
        for text in [BASE, OLD] {
            assert!(!text.contains("http") && !text.contains("@import") && !text.contains("//"), "{text}");
            assert_eq!(text.matches('{').count(), text.matches('}').count());
            assert!(text.len() < 8 * 1024);
        }
    }
}
