//! What the research programs in `lab/examples` have in common.

pub mod games;
pub mod mean;
pub mod rows;
pub mod usage;
pub mod weights_files;
