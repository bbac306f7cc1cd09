use sqlx::{
    Encode, Postgres, Sqlite, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgTypeInfo},
    sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo},
};
use uuid::Uuid;

/// Text of a statement for each database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sql {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

impl Sql {
    /// A text that both databases accept. sqlx accepts `$1` for SQLite too.
    pub(crate) const fn same(text: &'static str) -> Self {
        Self { sqlite: text, postgres: text }
    }

    /// Binds the value of `$1`.
    pub(crate) fn bind(self, value: impl Into<Value>) -> Statement {
        Statement::from(self).bind(value)
    }

    /// Binds a list of ids to `$1`.
    pub(crate) fn bind_ids(self, ids: impl IntoIterator<Item = Uuid>) -> Statement {
        self.bind(Ids(ids.into_iter().collect()))
    }
}

/// A statement and its bind values.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) sql: Sql,
    pub(crate) values: Vec<Value>,
}

impl From<Sql> for Statement {
    fn from(sql: Sql) -> Self {
        Self { sql, values: Vec::new() }
    }
}

impl Statement {
    /// Binds the value of the next parameter.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(i64),
    Id(Option<Uuid>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    Ids(Ids),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<Uuid> for Value {
    fn from(id: Uuid) -> Self {
        Self::Id(Some(id))
    }
}

impl From<Option<Uuid>> for Value {
    fn from(id: Option<Uuid>) -> Self {
        Self::Id(id)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        Self::Text(text.map(str::to_owned))
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(Some(bytes.to_owned()))
    }
}

impl From<Option<&[u8]>> for Value {
    fn from(bytes: Option<&[u8]>) -> Self {
        Self::Bytes(bytes.map(<[u8]>::to_owned))
    }
}

impl From<Ids> for Value {
    fn from(ids: Ids) -> Self {
        Self::Ids(ids)
    }
}

/// A list of ids in one bind value: an array for PostgreSQL, a JSON array of hexadecimal numbers for SQLite.
#[derive(Clone, Debug)]
pub(crate) struct Ids(Vec<Uuid>);

impl Type<Postgres> for Ids {
    fn type_info() -> PgTypeInfo {
        <Vec<Uuid> as Type<Postgres>>::type_info()
    }
}

impl Encode<'_, Postgres> for Ids {
    fn encode_by_ref(&self, out: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <Vec<Uuid> as Encode<Postgres>>::encode_by_ref(&self.0, out)
    }
}

impl Type<Sqlite> for Ids {
    fn type_info() -> SqliteTypeInfo {
        <String as Type<Sqlite>>::type_info()
    }
}

impl Encode<'_, Sqlite> for Ids {
    fn encode_by_ref(&self, out: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        let ids: Vec<_> = self.0.iter().map(|id| id.simple().to_string()).collect();
        Encode::<Sqlite>::encode(serde_json::json!(ids).to_string(), out)
    }
}

/// Binds the values of a [`Statement`] to a query of either database.
macro_rules! bound {
    ($query:expr, $values:expr) => {{
        let mut query = $query;
        for value in $values {
            query = match value {
                $crate::sql::Value::Number(number) => query.bind(number),
                $crate::sql::Value::Id(id) => query.bind(id),
                $crate::sql::Value::Text(text) => query.bind(text),
                $crate::sql::Value::Bytes(bytes) => query.bind(bytes),
                $crate::sql::Value::Ids(ids) => query.bind(ids),
            };
        }
        query
    }};
}
pub(crate) use bound;
