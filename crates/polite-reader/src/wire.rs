//! Collects the bytes of a body as they come in, every one of them paid for from the site's hold.

use bytes::Bytes;

use crate::memory::Hold;

/// Bodies up to this length may lie in the connection's read buffer, which is larger than they are.
const READ_BUFFER_BYTES: usize = crate::limits::RESPONSE_HEAD_BYTES_MAX;

/// A body on its way in.
#[derive(Debug)]
pub(crate) struct Wire {
    limit: usize,
    /// The first piece; most bodies are nothing else, and are not copied.
    first: Bytes,
    /// Everything, once there is a second piece.
    all: Vec<u8>,
    /// Bytes taken from the hold.
    paid: usize,
}

/// Whether a piece fitted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    Whole,
    /// The limit or the memory ran out; the rest was dropped.
    Cut,
}

impl Wire {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, first: Bytes::new(), all: Vec::new(), paid: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.all.len()
    }

    /// Adds a piece; `to_come` is what the sender says will follow it.
    pub(crate) fn add(&mut self, piece: &Bytes, to_come: usize, hold: &mut Hold) -> Fit {
        let wanted = self.len().saturating_add(piece.len()).min(self.limit);
        if self.len() == 0 {
            self.paid += hold.take_bytes(wanted);
            self.first = piece.slice(..self.paid.min(piece.len()));
            return if self.first.len() < piece.len() { Fit::Cut } else { Fit::Whole };
        }
        if wanted > self.paid {
            // Twice as much as needed now, so that a body of many pieces is not moved for each.
            let ahead = wanted.saturating_add(to_come.max(wanted)).min(self.limit);
            self.paid += hold.take_bytes(ahead - self.paid);
        }
        self.all.reserve_exact(self.paid - self.all.len());
        self.all.extend_from_slice(&std::mem::take(&mut self.first));
        let room = self.paid.min(self.limit).saturating_sub(self.all.len());
        self.all.extend_from_slice(&piece[..room.min(piece.len())]);
        if room < piece.len() { Fit::Cut } else { Fit::Whole }
    }

    /// The body, and what it has cost the hold.
    pub(crate) fn finish(mut self) -> (Bytes, usize) {
        if self.all.is_empty() {
            return (self.first, self.paid);
        }
        self.all.shrink_to_fit();
        (self.all.into(), self.paid)
    }
}

/// Frees a body from the read buffer it may be a small part of.
pub(crate) fn detached(body: Bytes) -> Bytes {
    if body.len() > READ_BUFFER_BYTES { body } else { Bytes::copy_from_slice(&body) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Budget;

    #[tokio::test]
    async fn pieces_come_together_in_order_and_stop_at_the_limit() {
        let mut hold = Budget::new(10_000_000).reserve().await.unwrap();
        for (limit, sizes) in [
            (1_000_000, vec![5, 7, 100_000, 3]),
            (100, vec![60, 60, 60]),
            (10, vec![30]),
            (1_000_000, vec![9]),
            (5, vec![]),
        ] {
            let bytes: Vec<u8> = (0..sizes.iter().sum::<usize>()).map(|at| at as u8).collect();
            let mut wire = Wire::new(limit);
            let mut at = 0;
            let mut cut = false;
            for size in sizes {
                cut |= wire.add(&Bytes::copy_from_slice(&bytes[at..at + size]), 0, &mut hold) == Fit::Cut;
                at += size;
                if cut {
                    break;
                }
            }
            let (body, paid) = wire.finish();
            assert_eq!(body, bytes[..bytes.len().min(limit)]);
            assert_eq!(cut, bytes.len() > limit);
            assert!(paid >= body.len() && paid <= limit.max(body.len()));
            hold.return_bytes(paid);
        }
    }

    #[tokio::test]
    async fn a_body_is_cut_where_the_memory_ends() {
        let mut hold = Budget::new(0).reserve().await.unwrap();
        let piece = Bytes::from(vec![b'x'; 2_000_000]);
        let mut wire = Wire::new(10_000_000);
        assert_eq!(wire.add(&piece, 0, &mut hold), Fit::Whole);
        assert_eq!(wire.add(&piece, 0, &mut hold), Fit::Cut);
        let room = crate::limits::SITE_RESERVE_BYTES_MAX - crate::limits::SITE_OVERHEAD_BYTES;
        assert_eq!(wire.finish().0.len(), room);
    }
}
