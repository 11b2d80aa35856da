//! The processes of an MPI job: [`Ranks::join`] says which of them this one is, and [`Ranks::gather`] sends the results
//! of each to the first, [`Ranks::gather_for_all`] to all. This is the only file that uses MPI.

use mpi::collective::CommunicatorCollectives;
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::traits::{Communicator, Destination, Source};
use thiserror::Error;

use maxout::share::Share;

/// The job cannot be joined.
#[derive(Debug, Error)]
#[error("MPI does not start: expected to be run by mpirun, or alone where MPI allows it")]
pub struct RanksError;

/// All processes of a job of more than one.
pub struct Ranks {
    universe: Universe,
}

impl Ranks {
    /// Joins the job that this process was started in. `None` if it is alone. To be called once, before any thread.
    pub fn join() -> Result<Option<Self>, RanksError> {
        let universe = mpi::initialize().ok_or(RanksError)?;
        let alone = universe.world().size() == 1;
        Ok((!alone).then_some(Self { universe }))
    }

    /// Which of the processes this is, from 0; that one leads.
    pub fn rank(&self) -> usize {
        self.universe.world().rank() as usize
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.universe.world().size() as usize
    }

    /// Whether this process leads: it writes the files and answers.
    pub fn leads(&self) -> bool {
        self.rank() == 0
    }

    /// This process's share of a batch.
    pub fn share(&self) -> Option<Share> {
        Share::new(self.rank() as u64 + 1, self.size() as u64)
    }

    /// What all processes say, in order of their ranks, for the one that leads; `None` for the others. All must call.
    pub fn gather(&self, message: Vec<u8>) -> Option<Vec<Vec<u8>>> {
        let world = self.universe.world();
        if !self.leads() {
            world.process_at_rank(0).send(&message[..]);
            return None;
        }
        let others = (1..world.size()).map(|rank| world.process_at_rank(rank).receive_vec::<u8>().0);
        Some(std::iter::once(message).chain(others).collect())
    }

    /// What all processes say, in order of their ranks, for all of them. All must call.
    pub fn gather_for_all(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let world = self.universe.world();
        let mut lengths = vec![0; self.size()];
        world.all_gather_into(&(message.len() as i32), &mut lengths[..]);
        let starts: Vec<i32> = lengths
            .iter()
            .scan(0, |end, length| {
                *end += length;
                Some(*end - length)
            })
            .collect();
        let mut told = vec![0u8; lengths.iter().map(|&length| length as usize).sum()];
        // MPI takes it amiss if there is nothing to say at all.
        if !told.is_empty() {
            world.all_gather_varcount_into(
                message,
                &mut PartitionMut::new(&mut told[..], &lengths[..], &starts[..]),
            );
        }
        let mut rest = &told[..];
        let mut next = |&length: &i32| rest.split_off(..length as usize).unwrap_or_default().to_vec();
        lengths.iter().map(&mut next).collect()
    }
}
