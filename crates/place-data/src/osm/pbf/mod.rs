//! Files in OpenStreetMap's binary format, decoded on all cores. The decoder is our own: it reads only what an import needs, and
//! no bytes make it panic or take more memory than a few blocks.

mod blob;
mod block;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use blob::{Blob, BlobReader, BlobSpan, malformed};
use block::{Block, Decoded, NodeDetail};
use wire::Corrupt;

use super::business;
use super::element::{Coordinate, WayNodes};
use super::gather::{Gathered, HeldBudget, MANY_TAGS, OverBudget, RawElement, RawGeometry, TAGS_MAX};
use super::passes::{PassContext, Passes, Progress};
use super::wanted::Wanted;
use crate::Error;

/// Threads that decode; each holds a block or two in memory.
const THREADS_MAX: usize = 16;

/// A file, and what the first pass learnt of its blocks, so that the others read only some of them.
pub(super) struct PbfFile {
    path: PathBuf,
    blocks: Vec<BlockSummary>,
}

/// What a block holds.
struct BlockSummary {
    span: BlobSpan,
    /// The least and the greatest id of its nodes; `None` without nodes.
    node_ids: Option<(i64, i64)>,
    has_ways: bool,
}

impl From<OverBudget> for Corrupt {
    fn from(_: OverBudget) -> Corrupt {
        HeldBudget::PROBLEM.into()
    }
}

impl PbfFile {
    pub(super) fn new(path: &Path) -> PbfFile {
        PbfFile { path: path.to_owned(), blocks: Vec::new() }
    }

    fn spans(&self, choose: impl Fn(&BlockSummary) -> bool) -> Vec<BlobSpan> {
        self.blocks.iter().filter(|block| choose(block)).map(|block| block.span).collect()
    }
}

impl Passes for PbfFile {
    fn businesses(&mut self, budget: &HeldBudget, progress: &mut Progress<'_, '_>) -> Result<Gathered, Error> {
        let mut gathered = Gathered::default();
        let decode = |blob: &Blob| businesses(blob, budget);
        let blocks = &mut self.blocks;
        each_block(&self.path, None, decode, |span, (found, summary)| {
            gathered.merge(found);
            blocks.push(summary);
            progress.at(span.end)
        })?;
        self.blocks.sort_by_key(|block| block.span.offset);
        Ok(gathered)
    }

    fn ways(&mut self, wanted: &mut Wanted<WayNodes>, context: &mut PassContext<'_, '_, '_>) -> Result<(), Error> {
        let (ids, found) = wanted.split();
        let budget = context.budget;
        let decode = |blob: &Blob| {
            let bytes = blob.unpack()?;
            let (mut matcher, mut matched) = (ids.matcher(), Vec::new());
            Block::parse(&bytes)?.ways(|way, refs| {
                if let Some(index) = matcher.find(way.id.number) {
                    let nodes = refs.nodes()?;
                    budget.hold(size_of::<WayNodes>() + nodes.bytes())?;
                    matched.push((index, nodes));
                }
                Ok(())
            })?;
            Ok(matched)
        };
        each_block(&self.path, Some(self.spans(|block| block.has_ways)), decode, |span, matched| {
            matched.into_iter().for_each(|(index, nodes)| found[index] = Some(nodes));
            context.progress.at(span.end)
        })
    }

    fn nodes(&mut self, wanted: &mut Wanted<Coordinate>, progress: &mut Progress<'_, '_>) -> Result<(), Error> {
        let (ids, found) = wanted.split();
        let chosen = self.spans(|block| block.node_ids.is_some_and(|(first, last)| ids.meets(first, last)));
        let decode = |blob: &Blob| {
            let bytes = blob.unpack()?;
            let (mut matcher, mut matched) = (ids.matcher(), Vec::new());
            let block = Block::parse(&bytes)?;
            block.nodes(NodeDetail::Positions, |node, position| {
                let index = matcher.find(node.id.number);
                matched.extend(index.and_then(|index| Some((index, block.coordinate(position)?))));
                Ok(())
            })?;
            Ok(matched)
        };
        each_block(&self.path, Some(chosen), decode, |span, matched| {
            matched.into_iter().for_each(|(index, at)| found[index] = Some(at));
            progress.at(span.end)
        })
    }
}

/// The businesses in a block.
fn businesses(blob: &Blob, budget: &HeldBudget) -> Result<(Gathered, BlockSummary), Corrupt> {
    let bytes = blob.unpack()?;
    let block = Block::parse(&bytes)?;
    let is_decisive = |text: &&[u8]| str::from_utf8(text).is_ok_and(business::is_decisive);
    let scan = BlockScan { decisive: block.strings.iter().map(is_decisive).collect(), block: &block, budget };
    let mut summary = BlockSummary { span: blob.span, node_ids: None, has_ways: block.has_ways() };
    let mut gathered = Gathered::default();
    let has_any = scan.decisive.contains(&true);
    let detail = if has_any { NodeDetail::Everything } else { NodeDetail::Ids };
    block.nodes(detail, |node, position| {
        let id = node.id.number;
        let (first, last) = summary.node_ids.unwrap_or((id, id));
        summary.node_ids = Some((first.min(id), last.max(id)));
        scan.look_at(&node, &mut gathered, || Ok(RawGeometry::Node(block.coordinate(position))))
    })?;
    if has_any {
        block.ways(|way, refs| scan.look_at(&way, &mut gathered, || Ok(RawGeometry::Way(refs.nodes()?))))?;
        block.relations(|relation, refs| {
            scan.look_at(&relation, &mut gathered, || {
                refs.members().map(|members| RawGeometry::Members { ways: members.ways, nodes: members.nodes })
            })
        })?;
    }
    Ok((gathered, summary))
}

/// A block in which businesses are looked for.
struct BlockScan<'a> {
    block: &'a Block<'a>,
    /// For each string, whether it is a key that can make an object a business.
    decisive: Vec<bool>,
    budget: &'a HeldBudget,
}

impl BlockScan<'_> {
    fn look_at(
        &self,
        element: &Decoded<'_>,
        gathered: &mut Gathered,
        geometry: impl FnOnce() -> Result<RawGeometry, Corrupt>,
    ) -> Result<(), Corrupt> {
        if !element.tags.iter().any(|(key, _)| self.decisive.get(*key as usize) == Some(&true)) {
            return Ok(());
        }
        if element.tags.len() > TAGS_MAX {
            gathered.skipped.add(MANY_TAGS, element.id);
            return Ok(());
        }
        let mut tags = Vec::with_capacity(element.tags.len());
        for (key, value) in element.tags {
            let pair = (str::from_utf8(self.block.string(*key)?), str::from_utf8(self.block.string(*value)?));
            if let (Ok(key), Ok(value)) = pair {
                tags.push((key, value));
            }
        }
        let edited = self.block.seconds(element.timestamp);
        let raw = RawElement { id: element.id, tags: &tags, edited, geometry: geometry()? };
        Ok(gathered.look_at(raw, self.budget)?)
    }
}

/// What a thread made of a blob; with its number, so that the first error of the file is the one reported.
type BlockResult<T> = (u64, Result<(BlobSpan, T), Error>);

/// Decodes the chosen blobs, or all of them, on several threads and takes the results in any order. At most as many blobs are in
/// memory as there are threads, and as many results again.
fn each_block<T: Send>(
    path: &Path,
    chosen: Option<Vec<BlobSpan>>,
    decode: impl Fn(&Blob) -> Result<T, Corrupt> + Sync,
    take: impl FnMut(BlobSpan, T) -> Result<(), Error>,
) -> Result<(), Error> {
    let queue =
        BlobQueue { path, reader: Mutex::new(BlobReader::open(path, chosen)?), is_stopped: AtomicBool::new(false) };
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get().min(THREADS_MAX));
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads);
        for _ in 0..threads {
            let (queue, decode, sender) = (&queue, &decode, sender.clone());
            scope.spawn(move || queue.work(decode, &sender));
        }
        drop(sender);
        queue.collect(receiver, take)
    })
}

/// The blobs that threads take from a file one after the other.
struct BlobQueue<'a> {
    path: &'a Path,
    reader: Mutex<BlobReader>,
    is_stopped: AtomicBool,
}

impl BlobQueue<'_> {
    fn work<T>(&self, decode: impl Fn(&Blob) -> Result<T, Corrupt>, sender: &SyncSender<BlockResult<T>>) {
        while !self.is_stopped.load(Ordering::Relaxed) {
            let (number, blob) = {
                let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
                (reader.next_number(), reader.next_blob())
            };
            let result = match blob {
                Ok(None) => return,
                Err(error) => Err(error),
                Ok(Some(blob)) => match decode(&blob) {
                    Ok(decoded) => Ok((blob.span, decoded)),
                    Err(corrupt) => Err(malformed(self.path, blob.span, corrupt.0)),
                },
            };
            let failed = result.is_err();
            if failed {
                self.is_stopped.store(true, Ordering::Relaxed);
            }
            // The receiver is gone once the import was cancelled.
            if sender.send((number, result)).is_err() || failed {
                return;
            }
        }
    }

    /// Takes all results. Blobs are handed out in the file's order, so all before a bad one were decoded too: the error that comes
    /// first in the file is always the same.
    fn collect<T>(
        &self,
        receiver: Receiver<BlockResult<T>>,
        mut take: impl FnMut(BlobSpan, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut first: Option<(u64, Error)> = None;
        for (number, result) in receiver {
            match result {
                Err(error) if first.as_ref().is_none_or(|(before, _)| number < *before) => {
                    first = Some((number, error));
                }
                Ok((span, decoded)) if first.is_none() => {
                    take(span, decoded).inspect_err(|_| self.is_stopped.store(true, Ordering::Relaxed))?;
                }
                _ => {}
            }
        }
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}
