//! The published evaluations through their public face.

mod meatfighter;
