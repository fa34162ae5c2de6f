//! A validator of JSON by the part of JSON Schema that `docs/schema.json` uses.
//!
//! An object is checked twice: by the standard, where a field that `properties` does not list fits, and then strictly, where it is an
//! error, so that every field is described. Only one alternative may fit in either reading.

use serde_json::Value;

/// Keywords without a condition.
const NOTES: [&str; 7] = ["$schema", "$id", "$defs", "title", "description", "x-commands", "required"];

/// A schema with its definitions.
pub struct Schema(Value);

impl Schema {
    pub fn read(text: &str) -> Schema {
        Schema(serde_json::from_str(text).unwrap())
    }

    /// Returns the definitions by name.
    pub fn definitions(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0["$defs"].as_object().unwrap().iter()
    }

    /// Checks a value by a definition, and returns the index of the alternative that fits; 0 if there is one only.
    pub fn check(&self, definition: &str, value: &Value) -> Result<usize, String> {
        let schema = self.0["$defs"].get(definition).ok_or(format!("{definition} is not defined"))?;
        Reading::Standard.alternative(schema, value)?;
        Reading::Strict.alternative(schema, value)
    }
}

/// How fields are read that are not described.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    Standard,
    Strict,
}

impl Reading {
    fn alternative(self, schema: &Value, value: &Value) -> Result<usize, String> {
        let Some(alternatives) = schema["oneOf"].as_array() else { return self.fits(schema, value, "").map(|()| 0) };
        self.only(alternatives, value, "")
    }

    /// Returns the only alternative that fits.
    fn only(self, alternatives: &[Value], value: &Value, at: &str) -> Result<usize, String> {
        let results: Vec<_> = alternatives.iter().map(|schema| self.fits(schema, value, at)).collect();
        match results.iter().filter(|result| result.is_ok()).count() {
            1 => Ok(results.iter().position(Result::is_ok).unwrap()),
            0 => Err(results.into_iter().filter_map(Result::err).collect::<Vec<_>>().join("; or ")),
            count => Err(format!("{at}: {count} alternatives fit")),
        }
    }

    fn fits(self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let schema = schema.as_object().unwrap_or_else(|| panic!("{at}: not a schema"));
        let ensure =
            |holds: bool, what: &Value| if holds { Ok(()) } else { Err(format!("{at}: {value} is not {what}")) };
        let length = value.as_array().map_or(0, Vec::len) as u64;
        for (keyword, what) in schema {
            match keyword.as_str() {
                "oneOf" => self.only(what.as_array().unwrap(), value, at).map(drop)?,
                "anyOf" => {
                    let mut errors = what.as_array().unwrap().iter().map(|schema| self.fits(schema, value, at));
                    ensure(errors.any(|result| result.is_ok()), what)?;
                }
                "not" => ensure(self.fits(what, value, at).is_err(), what)?,
                "const" => ensure(value == what, what)?,
                "enum" => ensure(what.as_array().unwrap().contains(value), what)?,
                "type" => ensure(is_of_type(value, what), what)?,
                "minItems" => ensure(!value.is_array() || length >= what.as_u64().unwrap(), what)?,
                "maxItems" => ensure(!value.is_array() || length <= what.as_u64().unwrap(), what)?,
                "items" | "prefixItems" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        let schema = what.get(index).filter(|_| what.is_array()).unwrap_or(what);
                        self.fits(schema, item, &format!("{at}/{index}"))?;
                    }
                }
                "properties" | "additionalProperties" => {}
                keyword => assert!(NOTES.contains(&keyword), "{at}: keyword {keyword} is not implemented"),
            }
        }
        if value.is_object() { self.fields_fit(schema, value, at) } else { Ok(()) }
    }

    fn fields_fit(self, schema: &serde_json::Map<String, Value>, value: &Value, at: &str) -> Result<(), String> {
        let none = serde_json::Map::new();
        let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            if value.get(required.as_str().unwrap()).is_none() {
                return Err(format!("{at}: no field {required}"));
            }
        }
        for (key, field) in value.as_object().unwrap() {
            match known.get(key).or(schema.get("additionalProperties")) {
                Some(schema) => self.fits(schema, field, &format!("{at}/{key}"))?,
                None if self == Reading::Strict && schema.contains_key("properties") => {
                    return Err(format!("{at}: {key} is not described"));
                }
                None => {}
            }
        }
        Ok(())
    }
}

fn is_of_type(value: &Value, types: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("unknown type {kind}"),
    };
    types.as_array().map_or_else(|| is(types), |types| types.iter().any(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_alternative_fits_by_the_standard() {
        let check = |second: &str| {
            let first =
                r#"{"type": "object", "required": ["event"], "properties": {"event": {"const": "end"}, "a": {}}}"#;
            let schema = Schema::read(&format!(r#"{{"$defs": {{"x": {{"oneOf": [{first}, {second}]}}}}}}"#));
            schema.check("x", &serde_json::json!({"event": "end", "a": 1}))
        };
        let rest = r#""type": "object", "required": ["a"], "properties": {"a": {}}"#;
        assert_eq!(check(&format!("{{{rest}}}")), Err(": 2 alternatives fit".to_owned()));
        assert_eq!(check(&format!(r#"{{"not": {{"required": ["event"]}}, {rest}}}"#)), Ok(0));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_place() {
        let schema = Schema::read(
            r##"{"$defs": {"x": {"type": "object", "required": ["a", "b"], "properties": {
                "a": {"type": ["integer", "null"]}, "b": {"type": "array", "items": {"enum": ["u", "v"]}, "maxItems": 2},
                "c": {"type": "object", "additionalProperties": {"type": "string"}}}}}}"##,
        );
        let check =
            |text: &str| schema.check("x", &serde_json::from_str(text).unwrap()).map_err(|error| error.to_string());
        assert_eq!(check(r#"{"a": null, "b": ["u"], "c": {"k": "w"}}"#), Ok(0));
        for (text, error) in [
            (r#"{"b": []}"#, ": no field \"a\""),
            (r#"{"a": 1.5, "b": []}"#, "/a: 1.5 is not [\"integer\",\"null\"]"),
            (r#"{"a": 1, "b": ["w"]}"#, "/b/0: \"w\" is not [\"u\",\"v\"]"),
            (r#"{"a": 1, "b": ["u", "u", "u"]}"#, "/b: [\"u\",\"u\",\"u\"] is not 2"),
            (r#"{"a": 1, "b": [], "d": 1}"#, ": d is not described"),
            (r#"{"a": 1, "b": [], "c": {"k": 1}}"#, "/c/k: 1 is not \"string\""),
            ("[]", ": [] is not \"object\""),
        ] {
            assert_eq!(check(text), Err(error.to_owned()), "{text}");
        }
    }
}
