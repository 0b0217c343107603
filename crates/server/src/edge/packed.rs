//! Static files, compressed once. They are open to anyone, so a request must not cost an encoder of its own, which would be
//! held for as long as a client does not read.

use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, VARY};
use http::{HeaderMap, HeaderValue};

use crate::edge::compress::accepts_gzip;

/// A file in both of its forms.
#[derive(Debug)]
pub(crate) struct Packed {
    plain: Bytes,
    gzip: OnceLock<Bytes>,
}

impl Packed {
    /// A file that is part of the binary.
    pub(crate) const fn of(bytes: &'static [u8]) -> Packed {
        Packed::owned(Bytes::from_static(bytes))
    }

    /// A file that was made by this process.
    pub(crate) const fn owned(plain: Bytes) -> Packed {
        Packed { plain, gzip: OnceLock::new() }
    }

    /// The form that a request with these headers accepts. Nothing is copied: a slow reader holds no memory of its own.
    pub(crate) fn response(&self, asked: &HeaderMap) -> Response {
        let mut response = if accepts_gzip(asked) {
            let gzip = self.gzip.get_or_init(|| compressed(&self.plain)).clone();
            ([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))], gzip).into_response()
        } else {
            self.plain.clone().into_response()
        };
        response.headers_mut().insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
        response
    }
}

fn compressed(plain: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("a vector takes every write").into()
}
