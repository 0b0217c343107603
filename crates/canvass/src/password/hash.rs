//! Hashes passwords with Argon2id. Slow on purpose, so it runs off the async threads, and only some at a time.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

use super::Password;
use crate::cpu_pool;
use crate::fair_line::Sharer;

/// Compared with when there is no hash, so that an unknown address takes as long as a wrong password.
static NOBODY: LazyLock<String> = LazyLock::new(|| hashed("nobody's password"));

/// The hash of a password, in the PHC string format.
pub async fn hash(password: Password) -> String {
    cpu_pool::run(Sharer::REQUESTS, move || hashed(password.reveal())).await
}

/// Whether this is the password that was hashed. Takes equally long when nothing was.
pub async fn verify(typed: String, hash: Option<String>) -> bool {
    cpu_pool::run(Sharer::REQUESTS, move || {
        let known = PasswordHash::new(hash.as_deref().unwrap_or(&NOBODY));
        let matches = known.is_ok_and(|known| Argon2::default().verify_password(typed.as_bytes(), &known).is_ok());
        matches && hash.is_some()
    })
    .await
}

fn hashed(password: &str) -> String {
    let hashed = Argon2::default().hash_password(password.as_bytes());
    hashed.expect("any password can be hashed with the default parameters").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_itself_is_accepted() {
        let text = "lantern crane violet dust";
        let stored = hash(Password::parse(text, "").unwrap()).await;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(verify(text.into(), Some(stored.clone())).await);
        assert!(!verify("lantern crane violet dusk".into(), Some(stored)).await);
        assert!(!verify("nobody's password".into(), None).await);
        assert!(!verify(text.into(), Some("not a hash".into())).await);
    }
}
