//! Says how long is kept what settings may delete.

use super::Settings;

impl Settings {
    /// How long leads and the text of their websites stay stored, for people.
    pub fn retention(&self) -> String {
        let kept = |days: Option<i64>| days.map_or("for ever".to_owned(), |days| format!("{days} days"));
        let (leads, text) = (kept(self.keep_searches_days), kept(self.keep_site_text_days.or(self.keep_searches_days)));
        format!("leads are kept {leads}, the text of their websites {text}, after a search has ended")
    }
}
