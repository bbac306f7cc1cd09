//! A weak line: a relay between a client and the server that reads from the server at a few KB a second.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy},
    net::{
        TcpListener, TcpSocket, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

/// Bytes a second that each connection is sent over the line.
pub(super) const BYTES_PER_SECOND: usize = 4 * 1024;

/// Bytes that are read at once.
const PIECE: usize = 256;

/// Receive buffer of the relay. Bytes that wait beyond it wait at the server.
const BUFFER: u32 = 4 * 1024;

/// The relay. It ends on drop, with all its connections.
#[derive(Debug)]
pub(super) struct WeakLine {
    address: SocketAddr,
    _carrying: JoinSet<Infallible>,
}

impl WeakLine {
    /// Starts a relay for a client that the server knows by the address `source`.
    pub(super) async fn to(server: SocketAddr, source: IpAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let mut carrying = JoinSet::new();
        carrying.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                if let Ok((client, _)) = listener.accept().await {
                    connections.spawn(carry(client, source, server));
                }
            }
        });
        Ok(Self { address, _carrying: carrying })
    }

    /// The address to which the client connects.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Carries one connection until an end closes it.
async fn carry(client: TcpStream, source: IpAddr, server: SocketAddr) -> io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(BUFFER)?;
    socket.bind(SocketAddr::new(source, 0))?;
    let (from_server, mut to_server) = socket.connect(server).await?.into_split();
    let (mut from_client, to_client) = client.into_split();
    tokio::select! {
        ended = copy(&mut from_client, &mut to_server) => ended.map(drop),
        ended = copy_slowly(from_server, to_client) => ended,
    }
}

async fn copy_slowly(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) -> io::Result<()> {
    let mut due = interval(Duration::from_secs(1) * PIECE as u32 / BYTES_PER_SECOND as u32);
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut piece = [0; PIECE];
    loop {
        due.tick().await;
        let n_bytes = from.read(&mut piece).await?;
        if n_bytes == 0 {
            return Ok(());
        }
        to.write_all(&piece[..n_bytes]).await?;
    }
}
