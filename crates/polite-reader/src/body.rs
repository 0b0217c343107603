//! Collects the bytes of a body as they arrive, each counted against the site's memory.

use bytes::Bytes;

use crate::memory::MemoryReservation;

/// Bodies up to this length may lie in the connection's read buffer, which is larger than they are.
const READ_BUFFER_BYTES: usize = crate::limits::RESPONSE_HEAD_BYTES_MAX;

/// A body being received.
#[derive(Debug)]
pub(crate) struct BodyBuffer {
    limit: usize,
    /// The first chunk; most bodies are nothing else, and are not copied.
    first: Bytes,
    /// Everything, once there is a second chunk.
    all: Vec<u8>,
    /// Bytes taken from the site's memory.
    paid: usize,
}

/// Whether a chunk fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    Whole,
    /// The limit or the memory was reached; the rest was dropped.
    Cut,
}

impl BodyBuffer {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, first: Bytes::new(), all: Vec::new(), paid: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.all.len()
    }

    /// Adds a chunk; `to_come` is what the sender says will follow it.
    pub(crate) fn add(&mut self, chunk: &Bytes, to_come: usize, reservation: &mut MemoryReservation) -> Fit {
        let wanted = self.len().saturating_add(chunk.len()).min(self.limit);
        if self.len() == 0 {
            self.paid += reservation.take_bytes(wanted);
            self.first = chunk.slice(..self.paid.min(chunk.len()));
            return if self.first.len() < chunk.len() { Fit::Cut } else { Fit::Whole };
        }
        if wanted > self.paid {
            // Twice as much as needed now, so that a body of many chunks is not moved for each.
            let ahead = wanted.saturating_add(to_come.max(wanted)).min(self.limit);
            self.paid += reservation.take_bytes(ahead - self.paid);
        }
        self.all.reserve_exact(self.paid - self.all.len());
        self.all.extend_from_slice(&std::mem::take(&mut self.first));
        let room = self.paid.min(self.limit).saturating_sub(self.all.len());
        self.all.extend_from_slice(&chunk[..room.min(chunk.len())]);
        if room < chunk.len() { Fit::Cut } else { Fit::Whole }
    }

    /// The body, and the memory it has taken.
    pub(crate) fn finish(mut self) -> (Bytes, usize) {
        if self.all.is_empty() {
            return (self.first, self.paid);
        }
        self.all.shrink_to_fit();
        (self.all.into(), self.paid)
    }
}

/// Copies a body out of the read buffer when it is only a small part of it.
pub(crate) fn detached(body: Bytes) -> Bytes {
    if body.len() > READ_BUFFER_BYTES { body } else { Bytes::copy_from_slice(&body) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{MemoryBudget, SiteShare};

    #[tokio::test]
    async fn chunks_are_joined_in_order_up_to_the_limit() {
        let mut reservation = MemoryBudget::new(10_000_000).reserve(SiteShare::Usual).await.unwrap();
        for (limit, sizes) in [
            (1_000_000, vec![5, 7, 100_000, 3]),
            (100, vec![60, 60, 60]),
            (10, vec![30]),
            (1_000_000, vec![9]),
            (5, vec![]),
        ] {
            let bytes: Vec<u8> = (0..sizes.iter().sum::<usize>()).map(|at| at as u8).collect();
            let mut buffer = BodyBuffer::new(limit);
            let mut at = 0;
            let mut cut = false;
            for size in sizes {
                cut |= buffer.add(&Bytes::copy_from_slice(&bytes[at..at + size]), 0, &mut reservation) == Fit::Cut;
                at += size;
                if cut {
                    break;
                }
            }
            let (body, paid) = buffer.finish();
            assert_eq!(body, bytes[..bytes.len().min(limit)]);
            assert_eq!(cut, bytes.len() > limit);
            assert!(paid >= body.len() && paid <= limit.max(body.len()));
            reservation.return_bytes(paid);
        }
    }

    #[tokio::test]
    async fn a_body_is_truncated_when_memory_runs_out() {
        let growth = crate::limits::SITE_RESERVE_BYTES_MAX / 2;
        let mut reservation = MemoryBudget::new(3 * growth).reserve(SiteShare::Usual).await.unwrap();
        let chunk = Bytes::from(vec![b'x'; 1_000_000]);
        let mut buffer = BodyBuffer::new(10_000_000);
        assert_eq!(buffer.add(&chunk, 0, &mut reservation), Fit::Whole);
        assert_eq!(buffer.add(&chunk, 0, &mut reservation), Fit::Cut);
        let reserved = crate::limits::SITE_RESERVE_BYTES_MIN - crate::limits::SITE_OVERHEAD_BYTES;
        assert_eq!(buffer.finish().0.len(), reserved + growth);
    }
}
