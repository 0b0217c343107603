//! Fills templates and escapes text.

/// Longest name of a placeholder, in bytes.
const SLOT_BYTES_MAX: usize = 14;

/// Writes a text, asking `value` for each `{placeholder}`; unknown ones are left as they are.
pub(crate) fn fill(out: &mut String, text: &str, value: &mut dyn FnMut(&str, &mut String) -> bool) {
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        match slot(rest) {
            Some(name) if value(name, out) => rest = &rest[name.len() + 2..],
            _ => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
}

/// The name of the placeholder at the start of a text.
fn slot(text: &str) -> Option<&str> {
    let bytes = &text.as_bytes()[1..text.len().min(SLOT_BYTES_MAX + 2)];
    let end = bytes.iter().position(|byte| !(byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_'))?;
    (end > 0 && bytes[end] == b'}').then(|| &text[1..=end])
}

/// Escapes text for HTML, in the body and in attributes.
pub(crate) fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"']) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// Escapes text for a JSON string inside HTML.
pub(crate) fn escape_json(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '<' => out.push_str("\\u003c"),
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        let mut out = String::new();
        fill(&mut out, text, &mut |name, out| {
            out.push_str(if name == "name" { "Joe" } else { "" });
            name == "name"
        });
        out
    }

    #[test]
    fn known_placeholders_are_filled_and_braces_of_scripts_are_kept() {
        assert_eq!(filled("{name} & {other} {"), "Joe & {other} {");
        assert_eq!(filled("function(){return {name}}{}{é}"), "function(){return Joe}{}{é}");
        assert_eq!(filled("{averyveryverylongslotname}"), "{averyveryverylongslotname}");
    }

    #[test]
    fn markup_in_values_is_escaped() {
        let (mut html, mut json) = (String::new(), String::new());
        escape(&mut html, "A & B <i>\"");
        escape_json(&mut json, "a\"b\\c<\n");
        assert_eq!((html.as_str(), json.as_str()), ("A &amp; B &lt;i&gt;&quot;", "a\\\"b\\\\c\\u003c"));
    }
}
