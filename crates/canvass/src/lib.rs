//! Canvass.
