//! Map providers that answer from the sandbox's world, in the shapes of the real ones and with their faults: so that an
//! operator can try a set-up without a key, and tests can count what would be paid for.

pub mod google;
mod in_box;
pub mod nominatim;
pub mod overpass;
