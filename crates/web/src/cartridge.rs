//! Cartridge images that were dropped on the page.

use maxout_host::TEST_CARTRIDGE;
use maxout_host::rom::{self, RomError};
use maxout_record::cartridge::Identity;
use wasm_bindgen::prelude::*;

use crate::Refused;

/// Returns the identity of an image that may be played. An empty file means the test cartridge.
pub fn admit(file: &[u8]) -> Result<Identity, RomError> {
    if file.len() as u64 > rom::MAX_BYTES {
        return Err(RomError::TooLarge(file.len() as u64));
    }
    rom::admit(if file.is_empty() { TEST_CARTRIDGE } else { file }, false)
}

/// Says which cartridge an image is, as JSON, or why it cannot be played, in the words of `maxout rom`.
#[wasm_bindgen]
pub fn cartridge(file: &[u8]) -> Result<String, Refused> {
    if file.is_empty() {
        return Err(RomError::Empty.into());
    }
    let Identity { name, sha1, mapper, notes, .. } = admit(file)?;
    Ok(serde_json::json!({"name": name, "sha1": sha1, "mapper": mapper, "notes": notes}).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_refused_in_the_words_of_rom() {
        assert!(cartridge(TEST_CARTRIDGE).is_ok_and(|text| text.contains("maxout test cartridge")));
        let cut = &TEST_CARTRIDGE[..TEST_CARTRIDGE.len() - 1];
        for bad in [&b""[..], b"PK\x03\x04 a zip file, by its first bytes", cut] {
            let expected = rom::admit(bad, false).expect_err("refused").to_string();
            assert_eq!(cartridge(bad), Err(Refused(expected)));
        }
        let large = vec![0; rom::MAX_BYTES as usize + 1];
        assert!(cartridge(&large).is_err_and(|Refused(text)| text.contains("at most")));
    }
}
