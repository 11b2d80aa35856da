//! The fields of a request, taken one by one: those of a JSON object, or the parameters of a query.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::refusal::Refusal;
use crate::text::is_control;
use maxout_engine::search::Aggression;
use maxout_rules::{Board, ParsePieceError, Piece};

/// Forms of a board, for messages.
pub(super) const BOARDS: &str = "200 digits, or rows of ten '.' and '#'";
/// Most characters of a value that a message repeats.
const SHOWN: usize = 40;

/// What a request says, by name.
#[derive(Debug)]
pub(super) struct Fields {
    values: BTreeMap<String, Value>,
    /// Whether numbers may be written as text, as a query writes everything.
    text: bool,
}

impl Fields {
    /// The fields of a JSON object.
    pub(super) fn of_object(object: Map<String, Value>) -> Self {
        // A field that is null says as little as one that is not there.
        Self { values: object.into_iter().filter(|(_, value)| !value.is_null()).collect(), text: false }
    }

    /// The parameters of a query. Blanks are dropped, but not in a board, of which they may be a part. A parameter without a value
    /// counts as not given, and of one that is given several times the last counts.
    pub(super) fn of_query(query: &str) -> Self {
        let mut values = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let is_board = matches!(&*name, "board" | "secondBoard");
            let value: String = value.chars().filter(|letter| is_board || !letter.is_whitespace()).collect();
            if !value.trim().is_empty() {
                values.insert(name.into_owned(), Value::String(value));
            }
        }
        Self { values, text: true }
    }

    /// Whether there is such a field.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.values.remove(name)
    }

    /// The text of a field, or `None` if it is not given.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(refuse(name, &other, "a text")),
        }
    }

    /// A whole number of a field, or `None` if it is not given.
    pub(super) fn whole(&mut self, name: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = match &value {
            Value::Number(number) => number.as_i64().or_else(|| whole_float(number.as_f64()?)),
            Value::String(text) if self.text => text.parse().ok().or_else(|| whole_float(text.parse().ok()?)),
            _ => None,
        };
        number.filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
            refuse(name, &value, &format!("a whole number from {} to {}", range.start(), range.end()))
        })
    }

    /// An aggression: the name of a step or a number, or `None` if it is not given.
    pub(super) fn aggression(&mut self, name: &str) -> Result<Option<Aggression>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let read = match &value {
            Value::Number(number) => number.as_f64().and_then(|number| Aggression::new(number as f32)),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        read.map(Some).ok_or_else(|| {
            let names = Aggression::STEPS.map(|(name, _)| name).join(", ");
            refuse(name, &value, &format!("{names}, or a number from -3 (safest) to 3 (boldest)"))
        })
    }

    /// Yes or no of a field, or `None` if it is not given.
    pub(super) fn flag(&mut self, name: &str) -> Result<Option<bool>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match &value {
            Value::Bool(flag) => Ok(Some(*flag)),
            Value::String(text) if self.text => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Ok(Some(true)),
                "false" | "0" => Ok(Some(false)),
                _ => Err(refuse(name, &value, "true or false")),
            },
            _ => Err(refuse(name, &value, "true or false")),
        }
    }

    /// A piece, or `None` if it is not given.
    pub(super) fn piece(&mut self, name: &str) -> Result<Option<Piece>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let piece = value.as_str().unwrap_or_default().parse();
        piece.map(Some).map_err(|_| refuse(name, &value, ParsePieceError::EXPECTED))
    }

    /// A board in any form that [`Board`] is read from, or `None` if it is not given.
    pub(super) fn board(&mut self, name: &str) -> Result<Option<Board>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let text = match &value {
            Value::String(text) if !text.trim().is_empty() => Cow::Borrowed(text),
            Value::Array(_) => Cow::Owned(value.to_string()),
            _ => return Err(refuse(name, &value, &format!("a text or an array: {BOARDS}"))),
        };
        text.parse().map(Some).map_err(|why| Refusal::bad(format!("{name}: {why}")))
    }

    /// An object within the object, or `None` if it is not given.
    pub(super) fn object(&mut self, name: &str) -> Result<Option<Self>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(Self::of_object(object))),
            Some(other) => Err(refuse(name, &other, "an object")),
        }
    }

    /// Refuses what is left over: fields that nobody asked for.
    pub(super) fn end(self, expected: &str) -> Result<(), Refusal> {
        match self.values.keys().next() {
            None => Ok(()),
            Some(name) => Err(Refusal::bad(format!("{}: no such field, expected {expected}", shown(name)))),
        }
    }
}

/// What must be given.
pub(super) fn needed<T>(name: &str, value: Option<T>, expected: &str) -> Result<T, Refusal> {
    value.ok_or_else(|| Refusal::bad(format!("{name}: not given, expected {expected}")))
}

/// JSON does not tell 18 and 18.0 apart.
fn whole_float(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

fn refuse(name: &str, value: &Value, expected: &str) -> Refusal {
    let value = match value {
        Value::String(text) if text.is_empty() => "an empty text".to_owned(),
        Value::String(text) => format!("{:?}", shown(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => shown(&other.to_string()),
    };
    Refusal::bad(format!("{name}: {value}, expected {expected}"))
}

/// The beginning of a text that came from outside, on one line.
pub(super) fn shown(text: &str) -> String {
    let text: String = text.chars().take(SHOWN).filter(|&letter| !is_control(letter)).collect();
    if text.is_empty() { "a name without letters".to_owned() } else { text }
}
