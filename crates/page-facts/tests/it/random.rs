//! A short seeded run over mutated, truncated, mixed and joined pages: no panic, and bounded work.

use crate::read;

/// Mutated pages per run.
const ROUNDS: usize = 1_500;

/// A small deterministic random number generator.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).expect("less than a usize")
    }
}

#[test]
fn mutated_pages_are_read_without_a_panic() {
    let pages: Vec<Vec<u8>> = crate::pages().into_iter().map(|(_, body)| body).collect();
    let mut rng = Rng(0x5EED_CAFE_F00D_1234);
    for _ in 0..ROUNDS {
        let mut body = pages[rng.below(pages.len())].clone();
        for _ in 0..=rng.below(12) {
            mutate(&mut body, &pages, &mut rng);
        }
        let found = read(&body);
        assert_eq!(found.pages.len(), 1);
        assert!(found.emails.iter().filter(|email| email.is_primary).count() <= 1);
        assert!(found.people.iter().filter(|person| person.is_owner).count() <= 1);
        assert!(found.emails.iter().all(|email| email.confidence < 1.0));
    }
}

fn mutate(body: &mut Vec<u8>, pages: &[Vec<u8>], rng: &mut Rng) {
    let at = rng.below(body.len());
    match rng.below(8) {
        0 => body.truncate(at),
        1 if !body.is_empty() => body[at] = (rng.next() & 0xFF) as u8,
        2 => body.insert(at, b"<>\"'@&\0[({\\/ "[rng.below(13)]),
        3 if !body.is_empty() => {
            body.remove(at);
        }
        4 => {
            let other = &pages[rng.below(pages.len())];
            let from = rng.below(other.len());
            let to = (from + rng.below(200)).min(other.len());
            body.splice(at..at, other[from..to].iter().copied());
        }
        5 => {
            let end = (at + rng.below(60)).min(body.len());
            body.drain(at..end);
        }
        6 => {
            let end = (at + rng.below(40)).min(body.len());
            let piece = body[at..end].repeat(20);
            body.splice(at..at, piece);
        }
        _ => body.extend_from_slice("é🙂\u{202E}".as_bytes()),
    }
}

#[test]
fn the_same_pages_yield_the_same_facts() {
    for (name, body) in crate::pages() {
        assert_eq!(read(&body), read(&body), "{name}");
    }
}
