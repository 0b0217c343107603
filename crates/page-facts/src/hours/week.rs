//! A week of opening hours, written in OpenStreetMap's notation.

use std::fmt::{self, Write};

/// Minutes of a day.
pub(crate) const DAY_MINUTES: u16 = 24 * 60;
/// When something closes that is open until late.
pub(crate) const LATE: u16 = DAY_MINUTES + 1;

/// Opening and closing time in minutes after midnight. It closes on the next day when the second is smaller.
pub(crate) type Span = (u16, u16);

const NAMES: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/// Opening hours by day, Monday first. A day without an entry is unknown, one without spans is closed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Week {
    days: [Option<Vec<Span>>; 7],
}

impl Week {
    /// Every day, all day.
    pub(crate) fn always() -> Week {
        Week { days: std::array::from_fn(|_| Some(vec![(0, DAY_MINUTES)])) }
    }

    /// The spans of a day; `None` when they are unknown.
    pub(crate) fn day(&self, day: usize) -> Option<&Vec<Span>> {
        self.days.get(day).and_then(Option::as_ref)
    }

    pub(crate) fn set(&mut self, day: usize, spans: Vec<Span>) {
        if let Some(known) = self.days.get_mut(day) {
            *known = Some(spans);
        }
    }

    /// Adds the hours of another week to those of this one.
    pub(crate) fn join(&mut self, other: &Week) {
        for day in 0..self.days.len() {
            let Some(spans) = other.day(day) else { continue };
            let mut all: Vec<Span> = self.day(day).into_iter().flatten().chain(spans).copied().collect();
            all.sort_unstable();
            // `7-11` and `11-3` are one span.
            all.dedup_by(|next, last| {
                let meet = next.0 <= last.1;
                if meet {
                    last.1 = last.1.max(next.1);
                }
                meet
            });
            self.set(day, all);
        }
    }

    /// Days that are known, open or closed.
    pub(crate) fn known(&self) -> usize {
        self.days.iter().flatten().count()
    }

    /// Days with hours.
    pub(crate) fn open(&self) -> usize {
        self.days.iter().flatten().filter(|spans| !spans.is_empty()).count()
    }
}

impl fmt::Display for Week {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all_day = vec![(0, DAY_MINUTES)];
        if self.days.iter().all(|day| day.as_ref() == Some(&all_day)) {
            return out.write_str("24/7");
        }
        let mut written = [false; 7];
        let mut is_first = true;
        for day in 0..7 {
            let (Some(spans), false) = (&self.days[day], written[day]) else { continue };
            let same: Vec<usize> = (day..7).filter(|other| self.days[*other].as_ref() == Some(spans)).collect();
            same.iter().for_each(|other| written[*other] = true);
            if !is_first {
                out.write_str("; ")?;
            }
            is_first = false;
            write_days(out, &same)?;
            write_spans(out, spans)?;
        }
        Ok(())
    }
}

/// `Mo-We,Fr`.
fn write_days(out: &mut fmt::Formatter<'_>, days: &[usize]) -> fmt::Result {
    let mut index = 0;
    while index < days.len() {
        let mut last = index;
        while last + 1 < days.len() && days[last + 1] == days[last] + 1 {
            last += 1;
        }
        if index > 0 {
            out.write_char(',')?;
        }
        out.write_str(NAMES[days[index]])?;
        if last > index {
            write!(out, "{}{}", if last > index + 1 { '-' } else { ',' }, NAMES[days[last]])?;
        }
        index = last + 1;
    }
    Ok(())
}

fn write_spans(out: &mut fmt::Formatter<'_>, spans: &[Span]) -> fmt::Result {
    if spans.is_empty() {
        return out.write_str(" off");
    }
    for (index, (open, close)) in spans.iter().enumerate() {
        let mark = if index == 0 { ' ' } else { ',' };
        write!(out, "{mark}{:02}:{:02}", open / 60, open % 60)?;
        match *close {
            LATE => out.write_char('+')?,
            close => {
                let close = if close == 0 { DAY_MINUTES } else { close };
                write!(out, "-{:02}:{:02}", close / 60, close % 60)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_days_are_grouped() {
        let mut week = Week::default();
        for day in [0, 1, 2, 4] {
            week.set(day, vec![(510, 720), (840, 1050)]);
        }
        week.set(3, vec![(1020, 120)]);
        week.set(5, vec![(540, 0)]);
        week.set(6, Vec::new());
        assert_eq!(week.to_string(), "Mo-We,Fr 08:30-12:00,14:00-17:30; Th 17:00-02:00; Sa 09:00-24:00; Su off");
        assert_eq!((week.known(), week.open()), (7, 6));
        assert_eq!(Week::always().to_string(), "24/7");
        let mut weekend = Week::default();
        [5, 6].into_iter().for_each(|day| weekend.set(day, Vec::new()));
        assert_eq!(weekend.to_string(), "Sa,Su off");
    }
}
