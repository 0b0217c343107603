//! A per-thread pool of buffers for decompressed pages. New buffers of this size come from the kernel, which has to zero them:
//! a tenth of the time that reading takes.

use std::cell::RefCell;

use bytes::Bytes;

/// Buffer sizes are multiples of this; smaller ones are cheap to allocate.
const STEP_BYTES: usize = 64 * 1024;

/// The largest buffer that is pooled.
const BUFFER_BYTES_MAX: usize = 512 * 1024;

/// Bytes pooled per thread.
const POOL_BYTES_MAX: usize = 2 * 1024 * 1024;

thread_local! {
    static POOL: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer that returns to the pool of the thread that drops it.
#[derive(Debug)]
struct PooledBuffer(Vec<u8>);

impl AsRef<[u8]> for PooledBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.0);
        // During thread shutdown the pool is gone.
        let _ = POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            if pool.iter().map(Vec::capacity).sum::<usize>() + buffer.capacity() <= POOL_BYTES_MAX {
                pool.push(buffer);
            }
        });
    }
}

/// A buffer of this many bytes with arbitrary content.
pub(crate) fn buffer(bytes: usize) -> Vec<u8> {
    if !is_pooled(bytes) {
        return vec![0; bytes];
    }
    let capacity = bytes.next_multiple_of(STEP_BYTES);
    let known = POOL.with_borrow_mut(|pool| {
        let at = pool.iter().position(|buffer| buffer.capacity() == capacity)?;
        Some(pool.swap_remove(at))
    });
    let mut buffer = known.unwrap_or_else(|| Vec::with_capacity(capacity));
    buffer.resize(bytes, 0);
    buffer
}

/// Turns a buffer into `Bytes`; it returns to the pool with the last reference.
pub(crate) fn into_bytes(buffer: Vec<u8>) -> Bytes {
    let whole = buffer.capacity() == buffer.len().next_multiple_of(STEP_BYTES);
    if is_pooled(buffer.len()) && whole { Bytes::from_owner(PooledBuffer(buffer)) } else { buffer.into() }
}

fn is_pooled(bytes: usize) -> bool {
    bytes > STEP_BYTES && bytes <= BUFFER_BYTES_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Vec<usize> {
        POOL.with_borrow(|pool| pool.iter().map(Vec::capacity).collect())
    }

    #[test]
    fn a_buffer_returns_and_serves_the_next_page_of_its_size() {
        let first = into_bytes(buffer(100_000));
        let address = first.as_ptr();
        let copy = first.clone();
        drop(first);
        assert!(pool().is_empty());
        drop(copy);
        assert_eq!(pool(), [2 * STEP_BYTES]);
        let larger = buffer(200_000);
        assert_ne!(larger.as_ptr(), address);
        let next = buffer(90_000);
        assert_eq!((next.as_ptr(), next.len()), (address, 90_000));
    }

    #[test]
    fn small_and_large_buffers_are_not_pooled_and_the_pool_is_limited() {
        for bytes in [0, 10, STEP_BYTES, BUFFER_BYTES_MAX + 1] {
            assert_eq!(buffer(bytes).len(), bytes);
            drop(into_bytes(buffer(bytes)));
        }
        assert!(pool().is_empty());
        drop((0..20).map(|_| into_bytes(buffer(BUFFER_BYTES_MAX))).collect::<Vec<_>>());
        assert_eq!(pool().len(), POOL_BYTES_MAX / BUFFER_BYTES_MAX);
    }
}
