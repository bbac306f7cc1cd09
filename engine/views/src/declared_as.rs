/// Uses the name of another type for this one in the generated TypeScript. With `ts(as = …)` it would get a declaration
/// of its own.
#[macro_export]
macro_rules! declared_as {
    ($type:ty, $other:ty) => {
        impl ts_rs::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(config: &ts_rs::Config) -> String {
                <$other as ts_rs::TS>::name(config)
            }

            fn inline(config: &ts_rs::Config) -> String {
                <$other as ts_rs::TS>::inline(config)
            }

            fn visit_dependencies(visitor: &mut impl ts_rs::TypeVisitor)
            where
                Self: 'static,
            {
                visitor.visit::<$other>();
            }
        }
    };
}
