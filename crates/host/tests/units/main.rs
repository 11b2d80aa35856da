//! Hosts through their public face: one file for each module.

mod env;
mod hand;
mod pool;
