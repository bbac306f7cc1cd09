use std::fmt;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// Maximum number of bytes of a zone's name.
const MAX_BYTES: usize = 64;

/// Time zone of a person, by its name in the IANA database, as `Europe/Paris`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ts", ts(type = "string"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String))]
pub struct Zone(TimeZone);

/// Error for a text that is no name of a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of a time zone, as Europe/Paris")]
pub struct InvalidZone;

impl Zone {
    /// Returns the zone without a place, by another name than that of the default.
    pub fn of_utc() -> Self {
        Self(TimeZone::get("Etc/UTC").unwrap_or(TimeZone::UTC))
    }

    /// Returns the zone as one that a person has named: the default is that of whom no zone is known.
    #[must_use]
    pub fn named(self) -> Self {
        if self == Self::default() { Self::of_utc() } else { self }
    }

    pub fn as_str(&self) -> &str {
        self.0.iana_name().expect("it was found by its name")
    }

    /// The rules of the zone's clocks.
    pub const fn time_zone(&self) -> &TimeZone {
        &self.0
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Zone").field(&self.as_str()).finish()
    }
}

impl TryFrom<String> for Zone {
    type Error = InvalidZone;

    fn try_from(name: String) -> Result<Self, InvalidZone> {
        if name.len() > MAX_BYTES {
            return Err(InvalidZone);
        }
        let zone = TimeZone::get(&name).map_err(|_| InvalidZone)?;
        if zone.iana_name().is_some() { Ok(Self(zone)) } else { Err(InvalidZone) }
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> Self {
        zone.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_found_by_their_names_in_any_case_and_others_are_refused() {
        for (text, name) in [
            ("Europe/Paris", "Europe/Paris"),
            ("europe/paris", "Europe/Paris"),
            ("UTC", "UTC"),
            ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ] {
            assert_eq!(Zone::try_from(text.to_owned()).unwrap().as_str(), name);
        }
        let long = "x".repeat(1_000);
        for wrong in ["", "Paris", "Europe/Towers", "../../etc/passwd", "+02:00", "/etc/localtime", &long] {
            assert_eq!(Zone::try_from(wrong.to_owned()), Err(InvalidZone), "{wrong}");
        }
        assert_eq!(Zone::default().as_str(), "UTC");
    }
}
