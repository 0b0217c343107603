//! Pairs written by hand, one for each rule.
