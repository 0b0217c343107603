//! Filler that gives pages a realistic size: meaningless style sheets and scripts, generated once and cut to length.

use std::fmt::Write;
use std::sync::OnceLock;

use crate::random::{Purpose, Random};

/// Bytes of each generated text.
const STOCK_BYTES: usize = 96 * 1024;

static STYLES: OnceLock<String> = OnceLock::new();
static SCRIPTS: OnceLock<String> = OnceLock::new();

const PARTS: [&str; 16] = [
    "header", "menu", "card", "hero", "grid", "button", "panel", "gallery", "footer", "banner", "slider", "column",
    "wrapper", "overlay", "caption", "badge",
];
const RULES: [&str; 14] = [
    "display:flex;align-items:center",
    "margin:0 auto;padding:12px 24px",
    "font-size:1.125rem;line-height:1.6",
    "background-color:var(--color-2)",
    "border-radius:6px;overflow:hidden",
    "transition:all .3s ease-in-out",
    "position:relative;z-index:2",
    "width:100%;max-width:1140px",
    "color:#2b2b2b;text-decoration:none",
    "box-shadow:0 2px 8px rgba(0,0,0,.12)",
    "letter-spacing:.02em;text-transform:uppercase",
    "grid-template-columns:repeat(3,1fr);gap:32px",
    "opacity:.85;transform:translateY(-2px)",
    "font-weight:600;font-family:var(--font-1),sans-serif",
];

/// A piece of style sheet; `look` decides where it is cut.
pub(crate) fn styles(look: u64, bytes: usize) -> &'static str {
    cut(STYLES.get_or_init(write_styles), look, bytes)
}

pub(crate) fn scripts(look: u64, bytes: usize) -> &'static str {
    cut(SCRIPTS.get_or_init(write_scripts), look, bytes)
}

/// Complete lines from somewhere in the stock.
fn cut(stock: &'static str, look: u64, bytes: usize) -> &'static str {
    let bytes = bytes.min(stock.len() / 2);
    let from = (look % (stock.len() - bytes) as u64) as usize;
    let start = stock[from..].find('\n').map_or(0, |line| from + line + 1);
    let end = stock[..(start + bytes).min(stock.len())].rfind('\n').unwrap_or(start);
    stock.get(start..end).unwrap_or_default()
}

fn write_styles() -> String {
    let mut random = Random::of(0, Purpose::Page, &[1]);
    let mut out = String::with_capacity(STOCK_BYTES + 256);
    while out.len() < STOCK_BYTES {
        let (part, inner) = (random.pick(&PARTS), random.pick(&PARTS));
        let _ = write!(out, ".{part}-{} .{inner}__{}{{", random.below(400), random.below(90));
        let _ = writeln!(out, "{};{}}}", random.pick(&RULES), random.pick(&RULES));
        if random.percent(8.0) {
            let width = random.between(4, 13) * 100;
            let _ = writeln!(out, "@media (max-width:{width}px){{.{part}{{{}}}}}", random.pick(&RULES));
        }
    }
    out
}

fn write_scripts() -> String {
    let mut random = Random::of(0, Purpose::Page, &[2]);
    let mut out = String::with_capacity(STOCK_BYTES + 256);
    while out.len() < STOCK_BYTES {
        let (part, inner, number) = (random.pick(&PARTS), random.pick(&PARTS), random.below(9_000));
        let _ = match random.below(3) {
            0 => writeln!(out, "var {part}{number}=document.querySelector('.{inner}-{number}');"),
            1 => writeln!(out, "function {part}{number}(e){{if(!e)return null;return e.{inner}||{number};}}"),
            _ => {
                writeln!(out, "var o{number}={{\"{part}\":{{\"speed\":{number},\"{inner}\":[1,2,3],\"auto\":true}}}};")
            }
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_requested_length_and_complete_lines() {
        for look in [0, 1, 77_777, u64::MAX] {
            for bytes in [0, 500, 8_000, 40_000] {
                let piece = styles(look, bytes);
                assert!(piece.len() <= bytes && piece.len() + 260 >= bytes, "{} of {bytes}", piece.len());
                assert!(piece.is_empty() || piece.ends_with('}'));
                assert!(scripts(look, bytes).len() <= bytes);
            }
        }
        assert_ne!(styles(1, 1_000), styles(50_000, 1_000));
    }
}
