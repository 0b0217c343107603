//! Buffers for opened pages that go from one page to the next. Fresh ones of this size come from the kernel, which
//! clears them page by page: a tenth of the time that reading takes.

use std::cell::RefCell;

use bytes::Bytes;

/// Buffers are multiples of this; what is smaller comes cheap from the allocator.
const STEP_BYTES: usize = 64 * 1024;

/// The largest buffer that is kept.
const BUFFER_BYTES_MAX: usize = 512 * 1024;

/// Bytes of buffers that each thread keeps.
const KEPT_BYTES_MAX: usize = 2 * 1024 * 1024;

thread_local! {
    static KEPT: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer that goes back where it came from, or to the thread that uses it last.
#[derive(Debug)]
struct Reused(Vec<u8>);

impl AsRef<[u8]> for Reused {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Reused {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.0);
        // A thread that is ending keeps nothing.
        let _ = KEPT.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.iter().map(Vec::capacity).sum::<usize>() + buffer.capacity() <= KEPT_BYTES_MAX {
                kept.push(buffer);
            }
        });
    }
}

/// A buffer of this many bytes, whatever they are.
pub(crate) fn buffer(bytes: usize) -> Vec<u8> {
    if !is_kept(bytes) {
        return vec![0; bytes];
    }
    let capacity = bytes.next_multiple_of(STEP_BYTES);
    let known = KEPT.with_borrow_mut(|kept| {
        let at = kept.iter().position(|buffer| buffer.capacity() == capacity)?;
        Some(kept.swap_remove(at))
    });
    let mut buffer = known.unwrap_or_else(|| Vec::with_capacity(capacity));
    buffer.resize(bytes, 0);
    buffer
}

/// Hands a buffer out; it comes back when nobody looks at it any more.
pub(crate) fn lend(buffer: Vec<u8>) -> Bytes {
    let whole = buffer.capacity() == buffer.len().next_multiple_of(STEP_BYTES);
    if is_kept(buffer.len()) && whole { Bytes::from_owner(Reused(buffer)) } else { buffer.into() }
}

fn is_kept(bytes: usize) -> bool {
    bytes > STEP_BYTES && bytes <= BUFFER_BYTES_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Vec<usize> {
        KEPT.with_borrow(|kept| kept.iter().map(Vec::capacity).collect())
    }

    #[test]
    fn a_buffer_comes_back_and_serves_the_next_page_of_its_size() {
        let first = lend(buffer(100_000));
        let address = first.as_ptr();
        let copy = first.clone();
        drop(first);
        assert!(kept().is_empty());
        drop(copy);
        assert_eq!(kept(), [2 * STEP_BYTES]);
        let larger = buffer(200_000);
        assert_ne!(larger.as_ptr(), address);
        let next = buffer(90_000);
        assert_eq!((next.as_ptr(), next.len()), (address, 90_000));
    }

    #[test]
    fn small_and_large_ones_are_not_kept_and_the_rest_has_a_limit() {
        for bytes in [0, 10, STEP_BYTES, BUFFER_BYTES_MAX + 1] {
            assert_eq!(buffer(bytes).len(), bytes);
            drop(lend(buffer(bytes)));
        }
        assert!(kept().is_empty());
        drop((0..20).map(|_| lend(buffer(BUFFER_BYTES_MAX))).collect::<Vec<_>>());
        assert_eq!(kept().len(), KEPT_BYTES_MAX / BUFFER_BYTES_MAX);
    }
}
