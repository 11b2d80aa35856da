//! [`VideoReader`]: the pictures of a video in, its games out.

use crate::cells::Sampler;
use crate::decode::{Decoder, LiveGame, ReadGame};
use crate::picture::Picture;
use crate::place::{FINE_SLANTS, Place, SLANTS, Shown, Tracker, places};

/// Milliseconds between two looks for the field.
const LOOK_MS: u64 = 250;
/// And while a game seems to have begun.
const BEGUN_LOOK_MS: u64 = 750;
/// And between two looks for a second field.
const SECOND_LOOK_MS: u64 = 1_500;
/// Milliseconds without a picture that fits the game, after which the field is looked for elsewhere, too.
const LOST_MS: u64 = 2_000;
/// Milliseconds after the first field for a second one beside it.
const SECOND_MS: u64 = 15_000;
/// How much smaller a field may be when it is found again.
const SMALLER: f64 = 0.6;
/// Most places that are watched at a time.
const MOST_PLACES: usize = 16;
/// One look in this many is for small fields in large pictures, too.
const SMALL: u32 = 3;
/// One look in this many is for a slanted field, too, and for one of which something hides a part of the rim.
const HARD: u32 = 4;
/// As long as no game is found, the first looks and then each second one are also for one that is turned or in inverted colours: one of these in turn.
const ODD: [Shown; 4] = [
    Shown { negative: true, ..Shown::PLAIN },
    Shown { quarters: 2, ..Shown::PLAIN },
    Shown { quarters: 1, ..Shown::PLAIN },
    Shown { quarters: 3, ..Shown::PLAIN },
];
/// Most places of these that are watched at a time, and of those that a look finds.
const MOST_ODD: usize = 8;
const MOST_ODD_FOUND: usize = 2;

/// Reads the games in a video. Memory does not grow with its length, but for some kilobytes a placement.
#[derive(Debug, Default)]
pub struct VideoReader {
    /// The place that the user named.
    fixed: Option<Place>,
    size: (usize, usize),
    watched: Vec<Watched>,
    /// Pictures so far, and the time of the last.
    count: u64,
    time_ms: u64,
    looked: Option<u64>,
    /// When a game was last looked for that is no longer in its place.
    sought: Option<u64>,
    looks: u32,
    /// When pieces were first seen to lock.
    found: Option<u64>,
    /// When a picture last fitted a game.
    fitted: u64,
    /// Games at places that are no longer watched.
    earlier: Vec<ReadGame>,
}

/// A place that may be the field.
#[derive(Debug)]
struct Watched {
    place: Place,
    tracker: Tracker,
    /// Whether the whole field is in the picture.
    is_inside: bool,
    sampler: Sampler,
    decoder: Decoder,
    /// When it was last found.
    seen: u64,
    /// The user named it: whatever is there is the field.
    is_named: bool,
    /// How the game is shown there.
    shown: Shown,
    /// Placements when it was looked last whether the picture is mirrored.
    placements: usize,
}

impl Watched {
    /// Whether pieces were seen to lock, where the cells are. Something else with a game in it, such as a larger rectangle around
    /// the field, has gaps.
    fn is_sure(&self) -> bool {
        self.decoder.is_sure() && self.may_be_field()
    }

    fn may_be_field(&self) -> bool {
        let fits = || {
            self.sampler.fits_pieces()
                && (!self.decoder.has_gaps() || self.sampler.fits())
                && (!self.decoder.has_many_gaps() || self.sampler.is_dark_between())
        };
        let may_be = self.is_named || fits();
        may_be && (!self.is_odd() || self.decoder.is_lawful())
    }

    /// Whether the picture must be turned or inverted. Then nothing is believed that is not lawful.
    fn is_odd(&self) -> bool {
        Shown { mirrored: false, ..self.shown } != Shown::PLAIN
    }

    /// Exchanges left and right if what was read so far is the mirror image of games.
    fn mirror(&mut self, size: (usize, usize), at_end: bool) {
        let placements = self.decoder.placements();
        let is_news = placements > std::mem::replace(&mut self.placements, placements);
        if !(is_news || at_end) || !self.decoder.is_mirrored(at_end) {
            return;
        }
        let shown = Shown { mirrored: !self.shown.mirrored, ..self.shown };
        if let Some(sampler) = self.sampler.mirrored(&shown.place(&self.place), size) {
            (self.sampler, self.shown) = (sampler, shown);
            self.decoder.mirror();
        }
    }

    /// Goes where the rim has gone. Returns whether the field is in the picture.
    fn follow(&mut self, picture: &Picture, size: (usize, usize)) -> bool {
        if !self.is_named
            && let Some(place) = self.tracker.follow(&self.place, picture)
        {
            self.place = place;
            self.is_inside = self.sampler.follow(&self.shown.place(&place), size);
        }
        self.is_inside
    }

    /// Whether its game is no longer to be seen at this place.
    fn is_astray(&self) -> bool {
        let is_on = self.decoder.has_game() && !self.is_named && !self.is_odd();
        is_on && (self.decoder.is_astray() || self.tracker.is_lost)
    }

    /// Goes to the first of these places at which the picture shows its game.
    fn find_again(&mut self, found: &[Place], picture: &Picture, size: (usize, usize)) {
        for place in found.iter().filter(|place| !place.is_near(&self.place)) {
            let mut sampler = self.sampler.clone();
            if sampler.follow(&self.shown.place(place), size)
                && self.decoder.shows(&sampler.views(picture, false).0)
            {
                (self.place, self.sampler, self.tracker) = (*place, sampler, Tracker::default());
                self.is_inside = true;
                return;
            }
        }
    }

    fn finish(mut self, size: (usize, usize)) -> Vec<ReadGame> {
        self.mirror(size, true);
        self.decoder.finish()
    }
}

impl VideoReader {
    /// A reader that finds the field.
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader that is told where the field is.
    pub fn at(place: Place) -> Self {
        Self { fixed: Some(place), ..Self::default() }
    }

    /// Whether a game has been seen so far.
    pub fn has_game(&self) -> bool {
        !self.earlier.is_empty() || self.watched.iter().any(|watched| watched.decoder.has_game())
    }

    /// Where the game is, once pieces were seen to lock there.
    pub fn place(&self) -> Option<Place> {
        self.watched.iter().find(|watched| watched.is_sure()).map(|watched| watched.place)
    }

    /// The game that is being read, or the last one: once pieces were seen to lock, or from its first piece on if there is one place
    /// only where a piece falls. Of two beside each other, one.
    pub fn live(&self) -> Option<LiveGame<'_>> {
        let is_begun = |watched: &&Watched| watched.decoder.has_game() && watched.may_be_field();
        let only = || {
            let mut begun = self.watched.iter().filter(is_begun);
            begun.next().filter(|_| begun.next().is_none())
        };
        let watched = self.watched.iter().find(|watched| watched.is_sure()).or_else(only)?;
        watched.decoder.live()
    }

    /// Takes the next picture. The time is in milliseconds from the beginning of the video.
    pub fn see(&mut self, picture: &Picture, time_ms: u64) {
        let size = (picture.width(), picture.height());
        if size != self.size {
            // Places are those of pictures of one size.
            self.leave(|_| true);
            self.size = size;
            (self.looked, self.sought) = (None, None);
        }
        let is_lost = self.found.is_none() || time_ms >= self.fitted.saturating_add(LOST_MS);
        let may_be_two = self.found.is_some_and(|found| time_ms < found.saturating_add(SECOND_MS));
        let pause = if !is_lost {
            SECOND_LOOK_MS
        } else if self.watched.iter().any(|watched| watched.decoder.has_game()) {
            // What is watched may be the field already.
            BEGUN_LOOK_MS
        } else {
            LOOK_MS
        };
        let is_due = self.looked.is_none_or(|looked| time_ms >= looked.saturating_add(pause));
        if (is_lost || may_be_two) && is_due {
            self.looked = Some(time_ms);
            self.look(picture, time_ms, pause);
        }
        let is_due = self.sought.is_none_or(|sought| time_ms >= sought.saturating_add(LOOK_MS));
        if is_due && self.watched.iter().any(Watched::is_astray) {
            self.sought = Some(time_ms);
            self.find_again(picture);
        }
        let number = self.count;
        self.count += 1;
        let next_ms = time_ms.saturating_add(time_ms.saturating_sub(self.time_ms));
        self.time_ms = time_ms;
        let negative = picture.inverted();
        for watched in &mut self.watched {
            // Most places are not the field: no piece has been seen in them.
            let picture = if watched.shown.negative { &negative } else { picture };
            if !watched.follow(picture, self.size) {
                watched.decoder.see_nothing(number, time_ms);
                continue;
            }
            let (view, field) = watched.sampler.views(picture, watched.decoder.has_game());
            watched.decoder.see(&view, number, time_ms);
            if let Some(view) = field {
                watched.decoder.see(&view, number, time_ms.midpoint(next_ms));
            }
            // What lies over the field for a while says nothing about the place.
            if !watched.decoder.has_game() || watched.decoder.follows() {
                watched.sampler.count(watched.decoder.board(), watched.decoder.hidden());
            }
            watched.mirror(self.size, false);
        }
        self.merge();
        self.choose(time_ms, is_lost, may_be_two);
    }

    /// Looks where the games are that are no longer in their places, larger or smaller.
    fn find_again(&mut self, picture: &Picture) {
        let Some(at) = self.watched.iter().position(Watched::is_astray) else { return };
        let narrowest = SMALLER * self.watched[at].place.bounds()[2];
        let mut found = places(picture, &SLANTS[..1], narrowest, false);
        for at in 0..self.watched.len() {
            if !self.watched[at].is_astray() {
                continue;
            }
            // Not where another one is.
            let is_there =
                |other: &&Watched| other.is_sure() && other.decoder.follows() && !other.is_astray();
            let others = || self.watched.iter().filter(is_there);
            found.retain(|place| !others().any(|other| other.place.overlaps(place)));
            self.watched[at].find_again(&found, picture, self.size);
        }
    }

    /// Of places that have become the same, the one is kept that shows its game, or where more was read; games that the other one read
    /// elsewhere before are kept, too.
    fn merge(&mut self) {
        let rank = |watched: &Watched| (!watched.decoder.is_lost(), watched.decoder.placements());
        let mut at = 0;
        while at < self.watched.len() {
            let watched = &self.watched[at];
            let is_more = |(number, other): (usize, &Watched)| {
                number != at
                    && other.shown == watched.shown
                    && other.decoder.has_game()
                    && other.place.is_near(&watched.place)
                    && (rank(other) > rank(watched) || rank(other) == rank(watched) && number < at)
            };
            let Some(other) = self.watched.iter().enumerate().position(is_more) else {
                at += 1;
                continue;
            };
            let left = self.watched.remove(at);
            let kept = &self.watched[if other > at { other - 1 } else { other }].decoder;
            if left.is_sure() {
                let games = left.finish(self.size).into_iter();
                self.earlier.extend(games.filter(|game| !kept.has_read(game)));
            }
        }
    }

    /// Keeps the places where pieces lock; the others only while the field is looked for.
    fn choose(&mut self, time_ms: u64, was_lost: bool, may_be_two: bool) {
        let follows = |watched: &Watched| watched.is_sure() && watched.decoder.follows();
        let Some(now) = self.watched.iter().find(|watched| follows(watched)).map(|watched| watched.place)
        else {
            return;
        };
        self.fitted = time_ms;
        if self.found.is_none() {
            self.found = Some(time_ms);
            return self.watched.retain(|watched| watched.place == now || !watched.place.overlaps(&now));
        }
        if was_lost {
            // Where the field was before, it is no more.
            let stays = |watched: &Watched| follows(watched) || !watched.is_sure();
            self.leave(|watched| !stays(watched));
        }
        if !may_be_two {
            self.watched.retain(Watched::is_sure);
        }
    }

    /// Watches the places no longer for which this is so. Their games are kept.
    fn leave(&mut self, is_left: impl Fn(&Watched) -> bool) {
        let size = self.size;
        let (left, stay) = self.watched.drain(..).partition(is_left);
        self.watched = stay;
        let left: Vec<Watched> = left;
        for watched in left {
            if watched.is_sure() {
                self.earlier.extend(watched.finish(size));
            }
        }
    }

    /// Whether this look is for slanted and partly hidden fields, too.
    fn is_hard(&self) -> bool {
        self.found.is_none() && self.looks % HARD == 1
    }

    /// Where the field may be. Small and hard ones are looked for less often, and a second one is as wide as the first.
    fn find(&self, picture: &Picture) -> Vec<Place> {
        let hard = self.is_hard();
        let narrowest = match self.place() {
            Some(place) => 0.9 * place.bounds()[2],
            None if self.looks % SMALL == 1 => 0.0,
            None => f64::INFINITY,
        };
        // Lines between two slants are found by finer ones, which take longer.
        let slants = match self.looks % (2 * HARD) {
            1 if hard => &SLANTS[..],
            _ if hard => &FINE_SLANTS,
            _ => &SLANTS[..1],
        };
        places(picture, slants, narrowest, false)
    }

    /// Looks for places where the field may be, and watches them.
    fn look(&mut self, picture: &Picture, time_ms: u64, pause: u64) {
        self.looks = self.looks.wrapping_add(1);
        let found = match self.fixed {
            Some(place) => vec![place],
            None => self.find(picture),
        };
        // What is only found by a look for hard ones counts until the next of these.
        let until = if self.is_hard() { pause.saturating_mul(u64::from(HARD) - 1) } else { 0 };
        for place in found {
            self.watch(place, Shown::PLAIN, time_ms.saturating_add(until));
        }
        let looks = self.looks as usize;
        let is_due = looks <= ODD.len() || looks.is_multiple_of(2);
        if self.found.is_some() || self.fixed.is_some() || !is_due {
            return;
        }
        let shown = ODD[if looks <= ODD.len() { looks.saturating_sub(1) } else { looks / 2 } % ODD.len()];
        let negative = picture.inverted();
        let picture = if shown.negative { &negative } else { picture };
        let found = places(picture, &SLANTS[..1], f64::INFINITY, shown.quarters % 2 == 1);
        for place in found.into_iter().take(MOST_ODD_FOUND) {
            self.watch(place, shown, time_ms);
        }
    }

    /// Watches a place where the game may be shown like this.
    fn watch(&mut self, place: Place, shown: Shown, time_ms: u64) {
        let is_alike = |watched: &Watched| {
            (watched.shown.quarters, watched.shown.negative) == (shown.quarters, shown.negative)
        };
        let mut alike = self.watched.iter_mut().filter(|watched| is_alike(watched));
        if let Some(known) = alike.find(|watched| watched.place.is_near(&place)) {
            known.seen = known.seen.max(time_ms);
            return;
        }
        let is_taken = |watched: &Watched| {
            watched.decoder.follows() && watched.is_sure() && watched.place.overlaps(&place)
        };
        if self.watched.iter().any(is_taken) {
            return;
        }
        let Some(sampler) = Sampler::new(&shown.place(&place), self.size) else { return };
        let is_odd = shown != Shown::PLAIN;
        let rivals = || self.watched.iter().enumerate().filter(|(_, watched)| watched.is_odd() == is_odd);
        if rivals().count() >= if is_odd { MOST_ODD } else { MOST_PLACES } {
            let others = rivals().filter(|(_, watched)| !watched.is_sure());
            // A field that is hard to find is found less often, so a place where a piece was seen stays.
            let rank = |watched: &Watched| (watched.decoder.has_game(), watched.seen);
            let Some((at, _)) = others.min_by_key(|(_, watched)| rank(watched)) else { return };
            self.watched.swap_remove(at);
        }
        let (decoder, is_named) = (Decoder::new(shown), self.fixed.is_some());
        let tracker = Tracker::default();
        self.watched.push(Watched {
            place,
            tracker,
            is_inside: true,
            sampler,
            decoder,
            seen: time_ms,
            is_named,
            shown,
            placements: 0,
        });
    }

    /// The games, by their beginning, when the video is at its end.
    pub fn finish(self) -> Vec<ReadGame> {
        let is_sure = self.watched.iter().any(Watched::is_sure) || !self.earlier.is_empty();
        let fits = |watched: &Watched| if is_sure { watched.is_sure() } else { watched.may_be_field() };
        let left = self.watched.into_iter().filter(fits);
        let mut games: Vec<Vec<ReadGame>> = left.map(|watched| watched.finish(self.size)).collect();
        if !is_sure {
            // Of places where hardly anything happened, the one where most did.
            games.sort_by_key(|games| games.iter().map(|game| game.placements.len()).sum::<usize>());
            games.drain(..games.len().saturating_sub(1));
        }
        let mut games: Vec<ReadGame> = self.earlier.into_iter().chain(games.into_iter().flatten()).collect();
        // Of a game and its copy, as a preview or a stream within a stream, the one is kept of which more was read.
        games.sort_by_key(|game| (std::cmp::Reverse(game.placements.len()), game.gaps.len()));
        let mut kept: Vec<ReadGame> = Vec::new();
        for game in games {
            if !kept.iter().any(|other| other.is_copied_by(&game)) {
                kept.push(game);
            }
        }
        kept.sort_by_key(|game| game.placements.first().map(|first| first.picture));
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{NextBox, View};
    use maxout_rules::{Board, Piece};

    /// Shows games of O pieces that fall in these columns, each game with a curtain after it, 30 pictures a second.
    fn decoder(games: &[&[u8]]) -> Decoder {
        let (mut decoder, mut count) = (Decoder::default(), 0);
        let mut show = |rows: [u16; 20]| {
            decoder.see(&View { rows, sure: [1.0; 200], next: NextBox::Unknown }, count, count * 1000 / 30);
            count += 1;
        };
        for columns in games {
            let mut board = Board::default();
            for &x in *columns {
                let mut y = 0;
                loop {
                    let mut rows = *board.visible();
                    rows.iter_mut().skip(y as usize).take(2).for_each(|row| *row |= 0b11 << (x - 1));
                    show(rows);
                    if !board.is_valid(x, y + 1, Piece::O.spawn()) {
                        break;
                    }
                    y += 1;
                }
                board.lock(x, y, Piece::O.spawn());
                (0..8).for_each(|_| show(*board.visible()));
            }
            (0..12).for_each(|_| show([0x3FF; 20]));
        }
        decoder
    }

    #[test]
    fn where_two_places_become_one_the_games_that_either_read_elsewhere_are_kept() {
        let (size, place) = ((200, 200), Place::rectangle(20.0, 20.0, 80.0, 160.0));
        let watched = |games: &[&[u8]]| Watched {
            place,
            tracker: Tracker::default(),
            is_inside: true,
            sampler: Sampler::new(&place, size).expect("inside the picture"),
            decoder: decoder(games),
            seen: 0,
            is_named: true,
            shown: Shown::PLAIN,
            placements: 0,
        };
        let (left, right, both): (&[u8], &[u8], &[u8]) = (&[1, 5, 9, 1], &[3, 7, 3, 7, 5], &[9, 7, 5]);
        for turned in [false, true] {
            let mut all = vec![watched(&[left, both]), watched(&[right, both])];
            if turned {
                all.reverse();
            }
            let mut reader = VideoReader { watched: all, size, ..VideoReader::default() };
            reader.merge();
            let columns = |game: ReadGame| game.placements.iter().map(|placed| placed.pose.x).collect();
            let mut games: Vec<Vec<u8>> = reader.finish().into_iter().map(columns).collect();
            games.sort();
            assert_eq!(games, [left, right, both]);
        }
    }

    #[test]
    fn a_place_that_lost_its_game_does_not_lose_what_it_read() {
        let (long, late): (&[u8], &[u8]) = (&[1, 3, 5, 7, 9, 1, 3, 5, 7, 9], &[1, 3]);
        let read = decoder(&[long]);
        let game = &decoder(&[long]).finish()[0];
        let mut lost = game.clone();
        lost.begins_late = true;
        assert!(read.has_read(&lost), "it has as much of it");
        let short = decoder(&[late]);
        assert!(!short.has_read(game) && !short.has_read(&lost), "two of ten placements");
    }
}
