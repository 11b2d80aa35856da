//! Measurements of players: under human limits ([`limits`]), side by side ([`table`]) and beside what others measured
//! ([`baselines`]), by aggression ([`aggression`]), and by where their pieces lock ([`rows`], [`heat`]).

pub mod aggression;
pub mod baselines;
pub mod heat;
pub mod limits;
pub mod rows;
pub mod table;
