//! Emails in the form that imports expect.

/// An email without spaces, in lower case.
pub(super) fn email(email: &str) -> String {
    email.split_whitespace().collect::<String>().to_lowercase()
}
