//! How many members a zip archive has, before it is opened: [`check`].

/// The most members that an archive may have; all of them are listed in memory when it is opened.
pub const MAX_MEMBERS: usize = 1000;
/// First bytes of the entry for a member in an archive's central directory.
pub const MEMBER: &[u8] = b"PK\x01\x02";

/// Fails with the number of members if there are too many.
pub fn check(archive: &[u8]) -> Result<(), usize> {
    let members = archive.windows(MEMBER.len()).filter(|found| *found == MEMBER).count();
    if members > MAX_MEMBERS { Err(members) } else { Ok(()) }
}
