//! Notes on how a location was interpreted, where other interpretations were possible.

use super::Located;
use super::place::Place;
use crate::area::Area;
use crate::scope::Scope;

impl Located {
    /// How the text was interpreted: a choice among several places, ignored words, a contradiction. Empty when the text is
    /// unambiguous.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let (typed, name) = (&self.typed, &self.place.name);
        let mut notes = Vec::new();
        if let Some(ignored) = &self.ignored {
            notes.push(format!("\"{ignored}\" was ignored: \"{typed}\" was read as {name}."));
        }
        if let (Some(said), Some(code)) = (&self.contradicted_state, &self.place.postal_code) {
            notes.push(format!("The ZIP code {code} is not in {said}; it was read as {name}."));
        }
        if !self.others.is_empty() {
            let others = self.others.join("; ");
            notes.push(format!("\"{typed}\" was read as {name}. It could also mean {others}."));
        }
        notes
    }
}

impl Place {
    /// How the area of this scope differs from what was typed; see [`Place::area`].
    #[must_use]
    pub fn area_notes(&self, scope: Scope) -> Vec<String> {
        let area = self.area(scope);
        let mut notes = Vec::new();
        if let Some(part) = self.unplaced() {
            notes.push(format!("{part} was not found on the map; the search covers {} as a whole.", area.name()));
        }
        notes.extend(self.point_note(scope, &area));
        if scope == Scope::County && self.width <= scope && area.radius_miles().is_some() {
            let (name, miles) = (&self.name, area.radius_miles().unwrap_or_default());
            notes
                .push(format!("No county is known for {name}; the search covers a circle of {miles} miles around it."));
        }
        notes
    }

    /// How a circle around the place differs from what was typed.
    #[must_use]
    pub fn circle_notes(&self, radius_miles: f64) -> Vec<String> {
        let Some(part) = self.unplaced() else {
            return Vec::new();
        };
        let (kind, name) = match self.postal_code {
            Some(_) if self.name.starts_with(|first: char| first.is_ascii_digit()) => ("ZIP code", &self.name),
            _ => ("town", &self.name),
        };
        let unit = if radius_miles == 1.0 { "mile" } else { "miles" };
        vec![format!(
            "{part} was not found on the map; the circle of {radius_miles} {unit} is around the centre of the {kind} \
             instead: {name}."
        )]
    }

    /// The part of the location that is more precise than the point.
    fn unplaced(&self) -> Option<String> {
        if let Some(street) = &self.street {
            return Some(format!("The street \"{street}\""));
        }
        let code = self.postal_code.as_ref().filter(|code| !self.name.starts_with(code.as_str()))?;
        Some(format!("The postal code {code}"))
    }

    fn point_note(&self, scope: Scope, area: &Area) -> Option<String> {
        let context = self.context.as_ref()?;
        let (point, name) = (&self.name, area.name());
        let radius = "give a radius to search a circle around the point";
        match scope {
            Scope::City if context.is_in_town => {
                Some(format!("{point} lies in {name}, which is searched as a whole; {radius}."))
            }
            Scope::City => {
                let (miles, town) = (context.miles, context.town_name());
                Some(format!(
                    "{point} lies in no town: the nearest, {town}, {miles:.0} miles away, is searched; {radius}."
                ))
            }
            _ if context.is_in_outline => None,
            _ => Some(format!("{point} lies outside of every country's outline; the nearest is searched: {name}.")),
        }
    }
}
