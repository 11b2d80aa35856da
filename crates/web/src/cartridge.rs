//! Cartridge images that were dropped on the page.

use maxout_host::TEST_CARTRIDGE;
use maxout_host::rom::{self, RomError};
use maxout_record::cartridge::Identity;

/// Returns the identity of an image that may be played. An empty file means the test cartridge.
pub fn admit(file: &[u8]) -> Result<Identity, RomError> {
    if file.len() as u64 > rom::MAX_BYTES {
        return Err(RomError::TooLarge(file.len() as u64));
    }
    rom::admit(if file.is_empty() { TEST_CARTRIDGE } else { file }, false)
}

/// Says which cartridge a dropped file is, as JSON, or why it cannot be played.
pub fn describe(file: &[u8]) -> Result<String, String> {
    if file.is_empty() {
        return Err(RomError::Empty.to_string());
    }
    let Identity { name, sha1, mapper, notes, .. } = admit(file).map_err(|error| error.to_string())?;
    Ok(serde_json::json!({"name": name, "sha1": sha1, "mapper": mapper, "notes": notes}).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_refused_in_the_words_of_rom() {
        assert!(describe(TEST_CARTRIDGE).is_ok_and(|text| text.contains("maxout test cartridge")));
        let cut = &TEST_CARTRIDGE[..TEST_CARTRIDGE.len() - 1];
        for bad in [&b""[..], b"PK\x03\x04 a zip file, by its first bytes", cut] {
            let expected = rom::admit(bad, false).expect_err("refused").to_string();
            assert_eq!(describe(bad), Err(expected));
        }
        let large = vec![0; rom::MAX_BYTES as usize + 1];
        assert!(describe(&large).is_err_and(|text| text.contains("at most")));
    }
}
