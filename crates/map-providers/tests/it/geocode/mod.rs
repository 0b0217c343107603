//! Street addresses become points, through every geocoder, whatever they do wrong.

mod accuracy;
mod address_file;
mod faults;
mod gateways;
mod hostile;
mod overture;
mod town;
