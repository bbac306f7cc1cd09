//! A relay between a node and a service that it needs. It can be cut, or carry nothing more without a word.

use std::{net::SocketAddr, path::PathBuf};

use tokio::{
    io::{AsyncRead, AsyncWrite, copy_bidirectional},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
    task::JoinSet,
};

use crate::address::ReservedAddress;

/// Address of a service.
#[derive(Clone, Debug)]
pub enum Service {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// A relay between a node and a service.
#[derive(Debug)]
pub struct Wire {
    reserved: ReservedAddress,
    service: Service,
    /// Empty while it is cut.
    carrying: JoinSet<()>,
    /// Counts the moments from which the connections of before carry nothing.
    swallowed: watch::Sender<u32>,
}

impl Wire {
    /// Opens a relay.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn to(service: Service) -> Self {
        let reserved = ReservedAddress::new().expect("there is a free port");
        let (carrying, swallowed) = (JoinSet::new(), watch::Sender::new(0));
        let mut wire = Self { reserved, service, carrying, swallowed };
        wire.mend().await;
        wire
    }

    /// The relay's own address.
    pub fn address(&self) -> SocketAddr {
        self.reserved.address
    }

    /// Breaks all connections and accepts no new ones.
    pub async fn cut(&mut self) {
        self.carrying.shutdown().await;
    }

    /// Accepts connections again.
    ///
    /// # Panics
    /// If the port is in use.
    pub async fn mend(&mut self) {
        let listener = TcpListener::bind(self.reserved.address).await.expect("the place is free");
        let (service, swallowed) = (self.service.clone(), self.swallowed.clone());
        self.carrying.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((node, _)) = listener.accept().await {
                connections.spawn(carry(node, service.clone(), swallowed.subscribe()));
            }
        });
    }

    /// Carries nothing more over the connections of this moment. Both ends stay open, as behind a firewall that has
    /// forgotten them. New connections work.
    pub fn swallow(&self) {
        self.swallowed.send_modify(|n_times| *n_times += 1);
    }
}

async fn carry(node: TcpStream, service: Service, swallowed: watch::Receiver<u32>) {
    match service {
        Service::Tcp(address) => join(node, TcpStream::connect(address).await, swallowed).await,
        Service::Unix(path) => join(node, UnixStream::connect(path).await, swallowed).await,
    }
}

async fn join(
    mut node: TcpStream,
    service: std::io::Result<impl AsyncRead + AsyncWrite + Unpin>,
    mut swallowed: watch::Receiver<u32>,
) {
    let Ok(mut service) = service else { return };
    tokio::select! {
        _ = copy_bidirectional(&mut node, &mut service) => {}
        _ = swallowed.changed() => std::future::pending().await,
    }
}
