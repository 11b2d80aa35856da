//! Measurements of players: under human limits ([`limits`]), side by side ([`table`]), by aggression ([`aggression`]), and by
//! where their pieces lock ([`rows`], [`heat`]).

pub mod aggression;
pub mod heat;
pub mod limits;
pub mod rows;
pub mod table;
