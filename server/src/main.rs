//! The Towers server: `towers --help`.

use std::{io::IsTerminal, process::ExitCode};

use clap::Parser;
use tokio::{
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};
use towers::{
    admin, app,
    config::{Arguments, Config, LogFormat},
};
use tracing_subscriber::EnvFilter;

#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

fn main() -> anyhow::Result<ExitCode> {
    allocator::set_up();
    let Arguments { operation, log_format, config } = Arguments::parse();
    log(log_format);
    let runtime = Runtime::new()?;
    let result = match operation {
        Some(operation) => runtime.block_on(admin::run(operation, &config.database_url, &config.address())),
        None => runtime.block_on(serve(config)).map(|()| ExitCode::SUCCESS),
    };
    // Abandoned blocking work must not delay shutdown.
    runtime.shutdown_background();
    result
}

/// Sets up logging to standard error.
fn log(format: LogFormat) {
    // `webauthn-rs` logs as errors what any client may send.
    let default = || EnvFilter::new("info,sqlx=warn,webauthn_rs_core=off");
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| default());
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => lines.json().init(),
    }
}

/// Serves until a signal to stop.
async fn serve(config: Config) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    app::run(config, Box::pin(stop)).await
}
