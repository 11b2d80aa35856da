//! What a game becomes outside the program: a page ([`html`]), and pictures, animations and videos ([`pictures`]).

pub mod html;
pub mod pictures;
