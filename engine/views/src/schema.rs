//! Schemas of types of the engine, which are ids on the wire.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, schema::Schema},
};

/// Defines the schema of a type of the engine, which is its id on the wire.
macro_rules! engine_id {
    ($name:ident, $description:literal) => {
        #[doc = $description]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let ids = engine::$name::ALL.map(engine::$name::id);
                ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .enum_values(Some(ids))
                    .description(Some($description))
                    .into()
            }
        }

        impl ToSchema for $name {}
    };
}

engine_id!(Ruleset, "Id of a ruleset.");
engine_id!(Side, "Side of a game: `first` begins.");
