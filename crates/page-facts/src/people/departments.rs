//! Departments that stand in for a title: directories of small businesses list `Ann Lee, Accounts Payable`.

use crate::word_set::WordSet;

/// Longest department, in words.
const WORDS_MAX: usize = 4;

/// Words of departments; every word of one is on the list.
static WORDS: WordSet = WordSet::new(
    "sales service parts accounting accounts payable receivable billing customer support shipping receiving human
     resources marketing purchasing estimating dispatch reception front desk payroll warehouse quality control assurance
     finance scheduling inside outside claims reservations admissions membership housekeeping office administration it
     technical tech human hr maintenance operations bookkeeping leasing catering collections invoicing orders rentals
     dispatching buchhaltung verwaltung vertrieb verkauf einkauf empfang sekretariat kundendienst werkstatt lager
     comptabilité accueil administración contabilidad recepción amministrazione contabilità segreteria vendite administratie
     boekhouding receptie verkoop and & /",
);

/// Words that make no department alone: a menu entry or a heading.
static NEVER_ALONE: WordSet = WordSet::new(
    "accounts payable receivable customer human resources front desk quality control assurance inside outside technical
     tech office it support orders rentals catering admissions membership and & / administration operations",
);

/// Whether a line is a department and nothing else.
pub(super) fn is_department(line: &str) -> bool {
    let line = line.trim_end_matches([':', ' ']);
    if line.len() > 40 || !line.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let lower = line.to_ascii_lowercase();
    let lower = lower.strip_suffix(" department").or_else(|| lower.strip_suffix(" dept.")).unwrap_or(&lower);
    let words = lower.split([' ', '/']).filter(|word| !word.is_empty());
    let count = words.clone().take(WORDS_MAX + 1).count();
    (1..=WORDS_MAX).contains(&count)
        && words.clone().all(|word| WORDS.contains(word))
        && (count > 1 || !NEVER_ALONE.contains(lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn departments_are_recognised() {
        for line in [
            "Sales",
            "Accounts Payable",
            "Shipping & Receiving",
            "Parts Department",
            "Customer Service:",
            "Sales/Service",
        ] {
            assert!(is_department(line), "{line}");
        }
        for line in ["Support", "Office", "sales", "Sales and more", "Our Service", "Marketing Agency", "Orders", ""] {
            assert!(!is_department(line), "{line}");
        }
    }
}
