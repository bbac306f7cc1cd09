//! Embeds the migrations of each database. (`sqlx::migrate!` does it too, but its macro compiles both drivers a second
//! time.)

use std::{env, error::Error, fmt::Write as _, fs, path::Path};

/// Folder of the migrations, relative to this package.
const MIGRATIONS: &str = "../../migrations";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={MIGRATIONS}");
    for database in ["sqlite", "postgres"] {
        let folder = fs::canonicalize(Path::new(MIGRATIONS).join(database))?;
        let mut files: Vec<_> =
            fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<_, std::io::Error>>()?;
        files.sort();
        let mut table = String::from("&[\n");
        for file in files {
            let name = file.file_stem().and_then(|name| name.to_str()).ok_or("a migration has a name")?;
            let (number, name) = name.split_once('_').ok_or("a migration is named like 0001_games.sql")?;
            let number: i64 = number.parse()?;
            writeln!(table, "({number}, {:?}, include_str!({file:?})),", name.replace('_', " "))?;
        }
        table.push(']');
        fs::write(Path::new(&env::var("OUT_DIR")?).join(format!("{database}.rs")), table)?;
    }
    Ok(())
}
