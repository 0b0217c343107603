//! Limits how much is read from a connection at a time. hyper doubles its read buffer whenever a read fills it, and keeps it
//! while the connection idles between two pages; thousands of waiting hosts would hold tens of KiB each for nothing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes per read: just too few to fill hyper's initial buffer of 8 KiB, so that it never grows for a body.
const READ_BYTES_MAX: usize = 8 * 1024 - 1;

/// A stream that is read in small pieces.
#[derive(Debug)]
pub(crate) struct SmallReads<S>(pub(crate) S);

impl<S: AsyncRead + Unpin> AsyncRead for SmallReads<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let wanted = out.remaining().min(READ_BYTES_MAX);
        let mut sip = ReadBuf::new(out.initialize_unfilled_to(wanted));
        ready!(Pin::new(&mut self.0).poll_read(context, &mut sip))?;
        let taken = sip.filled().len();
        out.advance(taken);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for SmallReads<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn a_long_response_arrives_complete_in_small_reads() {
        let bytes: Vec<u8> = (0..50_000_u32).map(|at| at as u8).collect();
        let mut stream = SmallReads(bytes.as_slice());
        let mut room = vec![0; 20_000];
        assert_eq!(stream.read(&mut room).await.unwrap(), READ_BYTES_MAX);
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.unwrap();
        assert_eq!([&room[..READ_BYTES_MAX], &rest].concat(), bytes);
    }
}
