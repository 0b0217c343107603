//! Gives each day of a week the hours that a block says of it.

use crate::hours::block::{BREAK_MINUTES, Part, Refusal, Times};
use crate::hours::week::{Span, Week};

/// Days with hours below those of today, at least.
const TODAY_DAYS_MIN: usize = 3;

/// Gives each day its hours.
pub(super) fn assign(parts: &[Part]) -> Result<Week, Refusal> {
    let mut week = Week::default();
    let mut pairs: Vec<(&[usize], bool, Vec<&Times>)> = Vec::new();
    let mut parts = parts;
    // `Closed Sunday and Monday. Tue-Sat 10-6`: only the days that are closed come after the word.
    if let [Part::Times(times @ Times::Closed), Part::Days(days, _), rest @ ..] = parts
        && matches!(rest, [Part::Days(..), Part::Times(_), ..])
    {
        pairs.push((days, false, vec![times]));
        parts = rest;
    }
    if begins_with_today(parts) {
        parts = &parts[1..];
    }
    let first = parts.iter().position(|part| matches!(part, Part::Days(..))).ok_or(Refusal::NoHours)?;
    if parts[..first].iter().any(|part| matches!(part, Part::Times(_))) {
        for pair in parts.chunks(2) {
            let [Part::Times(times), Part::Days(days, _)] = pair else { break };
            pairs.push((days, false, vec![times]));
        }
    } else {
        let parts = &parts[first..];
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            match (part, parts.get(at + 1), parts.get(at + 2)) {
                // `9-5, closed on Sunday`: the days follow, and no hours after them.
                (Part::Times(times @ Times::Closed), Some(Part::Days(days, _)), None | Some(Part::Days(..)))
                    if pairs.last().is_some_and(|(_, _, list)| !list.is_empty()) =>
                {
                    pairs.push((days, false, vec![times]));
                    at += 1;
                }
                (Part::Days(days, stacked), ..) => pairs.push((days, *stacked, Vec::new())),
                (Part::Times(times), ..) => pairs.last_mut().into_iter().for_each(|(_, _, list)| list.push(times)),
            }
            at += 1;
        }
    }
    let last = pairs.len().saturating_sub(1);
    for (at, (days, stacked, times)) in pairs.into_iter().enumerate() {
        // `Daily 10-6, closed Mondays`: the exception comes last.
        if at == last && times == [&Times::Closed] && days.len() < week.known() {
            days.iter().for_each(|day| week.set(*day, Vec::new()));
            break;
        }
        if !enter(&mut week, days, stacked, &times)? {
            break;
        }
    }
    settle(week)
}

/// `Open today 9-5` above the days of the week: times stand first and last, and so the first are of none of these days.
fn begins_with_today(parts: &[Part]) -> bool {
    let takes_turns = parts.iter().enumerate().all(|(at, part)| matches!(part, Part::Times(_)) == (at % 2 == 0));
    takes_turns && parts.len() > 2 * TODAY_DAYS_MIN && parts.len() % 2 == 1
}

/// Enters the hours of some days; `false` when the week is complete and another one starts.
fn enter(week: &mut Week, days: &[usize], stacked: bool, times: &[&Times]) -> Result<bool, Refusal> {
    let spans_of = |times: &Times| match times {
        Times::Spans(spans) => spans.clone(),
        Times::Closed => Vec::new(),
    };
    // A column of days beside a column of hours.
    if stacked
        && times.len() == 1
        && days.len() > 1
        && let Times::Spans(spans) = times[0]
        && spans.len() == days.len()
    {
        days.iter().zip(spans).for_each(|(day, span)| week.set(*day, vec![*span]));
        return Ok(true);
    }
    if stacked && times.len() == days.len() {
        days.iter().zip(times).for_each(|(day, times)| week.set(*day, spans_of(times)));
        return Ok(true);
    }
    let Some(mut spans) = times.first().map(|times| spans_of(times)) else { return Ok(true) };
    let mut differ = times.iter().skip(1).any(|more| spans_of(more) != spans);
    // `Morning: 9-12` above `Afternoon: 2-6`.
    if let ([Times::Spans(morning), Times::Spans(afternoon)], false) = (times, stacked)
        && let ([first], [second]) = (&morning[..], &afternoon[..])
        && second.0 >= first.1 + BREAK_MINUTES
        && first.0 < first.1
    {
        (spans, differ) = (vec![*first, *second], false);
    }
    if (stacked && days.len() > 2) || differ {
        return Err(Refusal::Timetable);
    }
    let is_only = week.known() == days.len();
    for day in days {
        match week.day(*day) {
            Some(known) if *known == spans => {}
            Some(known) => {
                // The afternoon on a line of its own.
                let both: Vec<Span> = known.iter().chain(&spans).copied().collect();
                let follows = both.windows(2).all(|pair| pair[1].0 >= pair[0].1 + BREAK_MINUTES);
                if follows && is_only && both.len() == 2 {
                    week.set(*day, both);
                } else if week.known() >= 5 {
                    return Ok(false);
                } else {
                    return Err(Refusal::Timetable);
                }
            }
            None => week.set(*day, spans.clone()),
        }
    }
    Ok(true)
}

/// `00:00-00:00` means closed, when other days have hours.
fn settle(mut week: Week) -> Result<Week, Refusal> {
    for day in 0..7 {
        if week.day(day).is_some_and(|spans| spans.contains(&(0, 0))) {
            week.set(day, Vec::new());
        }
    }
    if week.open() == 0 { Err(Refusal::NoHours) } else { Ok(week) }
}
