//! How hashes are written.

/// Bytes in hexadecimal, two lower-case digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
