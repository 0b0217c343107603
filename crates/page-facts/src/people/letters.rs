//! Professions that credentials imply: a `DDS` is a dentist.

use crate::people::names::PersonName;

/// The profession implied by credentials such as `DDS` or a prefix such as `Dr.`.
pub(super) fn title_of_letters(name: &PersonName) -> Option<String> {
    let letters = name.credentials.as_deref().unwrap_or("").to_uppercase().replace('.', "");
    let has = |wanted: &[&str]| letters.split([',', ' ']).any(|l| wanted.contains(&l));
    let profession = PROFESSIONS.iter().find(|(degrees, _)| has(degrees)).map(|(_, profession)| *profession);
    profession.or_else(|| profession_of_prefix(name.prefix.as_deref()?)).map(str::to_owned)
}

/// Degrees and memberships that imply a profession; the first match wins.
const PROFESSIONS: &[(&[&str], &str)] = &[
    (&["DDS", "DMD", "BDS", "FAGD"], "Dentist"),
    (&["MD", "DO", "FACS", "FAAD", "FAAP", "MBBS"], "Physician"),
    (&["DVM", "VMD"], "Veterinarian"),
    (&["DC"], "Chiropractor"),
    (&["OD"], "Optometrist"),
    (&["DPM"], "Podiatrist"),
    (&["ESQ", "JD"], "Attorney"),
    (&["CPA"], "CPA"),
    (&["RDH"], "RDH"),
    (&["PA-C"], "PA-C"),
    (&["CRNA"], "CRNA"),
    (&["FNP", "FNP-BC", "FNP-C", "APRN", "ARNP", "NP", "NP-C"], "Nurse Practitioner"),
    (&["RN", "BSN"], "RN"),
    (&["LMT"], "LMT"),
    (&["DPT", "PT"], "Physical Therapist"),
    (&["LCSW"], "LCSW"),
    (&["LMFT"], "LMFT"),
    (&["LPC", "LPCC", "LMHC"], "Counselor"),
    (&["CADC", "LADC"], "Counselor"),
    (&["AUD"], "Audiologist"),
    (&["PHARMD", "RPH"], "Pharmacist"),
    (&["OTD", "OTR", "OTR/L"], "Occupational Therapist"),
    (&["SLP", "CCC-SLP"], "Speech Therapist"),
    (&["CDA"], "CDA"),
    (&["EFDA"], "EFDA"),
    (&["CVT", "LVT", "RVT"], "Veterinary Technician"),
    (&["EA"], "EA"),
];

fn profession_of_prefix(prefix: &str) -> Option<&'static str> {
    match prefix.to_lowercase().trim_end_matches('.') {
        "dr" | "doctor" => Some("Doctor"),
        "attorney" => Some("Attorney"),
        "chef" => Some("Chef"),
        "pastor" => Some("Pastor"),
        "coach" => Some("Coach"),
        "rabbi" => Some("Rabbi"),
        "rev" | "reverend" => Some("Reverend"),
        "captain" | "capt" => Some("Captain"),
        "deacon" => Some("Deacon"),
        "bishop" => Some("Bishop"),
        "judge" => Some("Judge"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::names;

    #[test]
    fn credentials_name_a_profession() {
        for (text, title) in [
            ("Ann Lee, DDS", Some("Dentist")),
            ("Ann Lee, RDH, BS", Some("RDH")),
            ("Dr. Ann Lee", Some("Doctor")),
            ("Ann Lee, AuD", Some("Audiologist")),
            ("Ann Lee, B.S., CADC II", Some("Counselor")),
            ("Ann Lee, MBA", None),
            ("Ann Lee", None),
        ] {
            assert_eq!(title_of_letters(&names::parse(text).unwrap()).as_deref(), title, "{text}");
        }
    }
}
