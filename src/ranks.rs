//! The processes of an MPI job: [`Ranks::join`] says which of them this one is, [`Ranks::gather`] brings what each
//! has to say to the first. The only file that knows MPI.

use mpi::environment::Universe;
use mpi::traits::{Communicator, Destination, Source};
use thiserror::Error;

use crate::report::shard::Share;

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

    /// Whether this process is the one that answers.
    pub fn leads(&self) -> bool {
        self.universe.world().rank() == 0
    }

    /// This process's share of a batch.
    pub fn share(&self) -> Option<Share> {
        let world = self.universe.world();
        Share::new(world.rank() as u64 + 1, world.size() as u64)
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
}
