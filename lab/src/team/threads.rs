//! A team of threads, for tests.

use std::sync::{Barrier, Mutex};
use std::thread;

use super::Team;

/// A member of a team of threads.
struct Thread<'a> {
    member: usize,
    table: &'a Mutex<Vec<Vec<u8>>>,
    meeting: &'a Barrier,
}

impl Team for Thread<'_> {
    fn member(&self) -> usize {
        self.member
    }

    fn members(&self) -> usize {
        self.table.lock().expect("no panic").len()
    }

    fn exchange(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        self.table.lock().expect("no panic")[self.member] = message;
        self.meeting.wait();
        let told = self.table.lock().expect("no panic").clone();
        self.meeting.wait();
        told
    }
}

/// Lets a team of threads do something; what came of it, member by member.
pub fn team<T: Send>(members: usize, work: impl Fn(&dyn Team) -> T + Sync) -> Vec<T> {
    let (table, meeting) = (Mutex::new(vec![Vec::new(); members]), Barrier::new(members));
    thread::scope(|scope| {
        let member = |member| Thread { member, table: &table, meeting: &meeting };
        let work = &work;
        let threads: Vec<_> =
            (0..members).map(member).map(|member| scope.spawn(move || work(&member))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}
