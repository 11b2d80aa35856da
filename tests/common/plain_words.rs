//! Text for people.

/// What is wrong with the words of an answer.
pub(super) fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.windows(2) {
            let (number, thing) =
                (pair[0].trim_start_matches('('), pair[1].trim_matches(&['(', ')', ',', ';', ':'][..]));
            let many = thing.ends_with('s') && !["s", "tetris"].contains(&thing);
            if ["1", "1.0"].contains(&number) && many {
                faults.push(format!("{number} {thing}: {line}"));
            }
            // Seeds are names.
            let digits = thing.chars().all(|c| c.is_ascii_digit());
            if digits
                && thing.len() > 3
                && !["seed", "seeds", "to", "from", "model", "console"].contains(&number)
            {
                faults.push(format!("{thing} without a comma: {line}"));
            }
        }
    }
    faults
}
