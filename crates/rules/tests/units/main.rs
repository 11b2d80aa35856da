//! The rules through their public face: one file for each module.

mod board;
mod dealer;
mod drawing;
mod input;
mod observer;
mod page;
mod piece;
mod ram;
mod ram_bytes;
mod ram_edition;
mod ram_snapshot;
mod random;
mod rng;
mod start;
mod stop;
mod timing;
