//! Work on all processors.

/// Applies a function to all items, in order, on all processors when there are enough items.
pub(super) fn in_parallel<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    /// Items below which a thread costs more than it saves.
    const ITEMS_MIN: usize = 2_000;
    /// Threads at most.
    const THREADS_MAX: usize = 8;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    if items.len() < ITEMS_MIN || threads == 1 {
        return items.iter().map(apply).collect();
    }
    let apply = &apply;
    std::thread::scope(|scope| {
        let chunks = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> =
            chunks.map(|chunk| scope.spawn(move || chunk.iter().map(apply).collect::<Vec<R>>())).collect();
        let mut results = Vec::with_capacity(items.len());
        for worker in workers {
            results.extend(worker.join().expect("comparing places does not panic"));
        }
        results
    })
}
