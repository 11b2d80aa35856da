//! The processes that share the work of one training: [`Alone`], or the ranks of an MPI job (`Ranks`).
//!
//! All members run the same program on the same data and meet in [`Team::exchange`], always in the same order. So each
//! of them knows all results and makes the same decisions. One of them, the team leader, writes the files.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(feature = "mpi")]
use crate::ranks::Ranks;
use maxout::share::Share;

/// A team, as one of its members sees it.
pub trait Team {
    /// Which member this is, from 0; that one leads.
    fn member(&self) -> usize;

    /// How many there are, at least 1.
    fn members(&self) -> usize;

    /// What each member says, in their order, for all of them. Returns when all have called.
    fn exchange(&self, message: Vec<u8>) -> Vec<Vec<u8>>;

    /// Whether this member writes the files and answers.
    fn leads(&self) -> bool {
        self.member() == 0
    }

    /// This member's part of `0..count`, consecutive numbers. Parts differ by one at most.
    fn part(&self, count: u64) -> Range<u64> {
        let share = Share::new(self.member() as u64 + 1, self.members() as u64);
        share.map_or(0..0, |share| share.range(count))
    }

    /// Whether it is true for all of them.
    fn all(&self, mine: bool) -> bool {
        self.exchange(vec![u8::from(mine)]).iter().all(|told| *told == [1])
    }
}

/// A process on its own.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Team for Alone {
    fn member(&self) -> usize {
        0
    }

    fn members(&self) -> usize {
        1
    }

    fn exchange(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        vec![message]
    }
}

#[cfg(feature = "mpi")]
impl Team for Ranks {
    fn member(&self) -> usize {
        self.rank()
    }

    fn members(&self) -> usize {
        self.size()
    }

    fn exchange(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        self.gather_for_all(&message)
    }
}

/// What each member says. A member that has to stop says `None`; then it is `None` for all of them.
pub fn gather<T: Serialize + DeserializeOwned>(team: &dyn Team, said: Option<&T>) -> Option<Vec<T>> {
    let message = serde_json::to_vec(&said).unwrap_or_default();
    let told = team.exchange(message);
    told.iter().map(|message| serde_json::from_slice::<Option<T>>(message).ok().flatten()).collect()
}

/// What the leader makes, for all of them. If it fails, the others get `None` and the leader its error.
pub fn from_leader<T: Serialize + DeserializeOwned, E>(
    team: &dyn Team,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<Option<T>, E> {
    let made = team.leads().then(make).transpose();
    if team.members() == 1 {
        return made;
    }
    let message = match &made {
        Ok(Some(made)) => serde_json::to_vec(made).unwrap_or_default(),
        _ => Vec::new(),
    };
    let told = team.exchange(message);
    Ok(made?.or_else(|| serde_json::from_slice(told.first()?).ok()))
}

#[cfg(test)]
pub(crate) mod threads;

#[cfg(test)]
mod tests {
    use super::threads::team;
    use super::*;

    #[test]
    fn parts_are_everything_once() {
        for (members, count) in [(1, 5), (3, 20), (4, 2), (7, 0)] {
            let parts = team(members, |team| team.part(count));
            assert_eq!(parts.iter().cloned().flatten().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            let sizes = || parts.iter().map(|part| part.end - part.start);
            assert!(sizes().max().unwrap_or(0) - sizes().min().unwrap_or(0) <= 1);
        }
    }

    #[test]
    fn all_know_what_each_says_and_one_that_stops_stops_all() {
        let told = team(3, |team| gather(team, Some(&team.member())));
        assert!(told.iter().all(|told| told.as_deref() == Some(&[0, 1, 2])));
        let told = team(3, |team| gather(team, Some(&1).filter(|_| team.member() != 2)));
        assert_eq!(told, [None, None, None]);
        assert_eq!(team(2, |team| team.all(team.leads())), [false, false]);
        assert_eq!(team(2, |team| team.all(true)), [true, true]);
    }

    #[test]
    fn the_leaders_failure_is_known_to_all() {
        let told = team(2, |team| from_leader(team, || Ok::<_, ()>(team.member())));
        assert_eq!(told, [Ok(Some(0)), Ok(Some(0))]);
        let told = team(2, |team| from_leader(team, || Err::<(), _>("no file")));
        assert_eq!(told, [Err("no file"), Ok(None)]);
    }
}
