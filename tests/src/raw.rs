//! HTTP as bytes: requests that no library would send, and the complete answers.

use std::net::Ipv4Addr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::{server::Server, timeout};

/// Connects from one of this machine's own addresses.
pub async fn connect(server: &Server, from: Ipv4Addr) -> TcpStream {
    let tcp = TcpSocket::new_v4().expect("a socket can be made");
    tcp.bind((from, 0).into()).expect("the address is this machine's");
    timeout("a connection", tcp.connect(server.address())).await.expect("the server is there")
}

/// Sends bytes over a connection of their own, and returns all that the server sends until it closes the connection.
/// The server may close it before it has read everything.
pub async fn exchange(server: &Server, from: Ipv4Addr, request: &[u8]) -> String {
    let (mut reading, mut writing) = connect(server, from).await.into_split();
    let mut answer = Vec::new();
    let read = async {
        let _ = timeout("the end of the connection", reading.read_to_end(&mut answer)).await;
    };
    let write = async {
        let _ = timeout("room to send", writing.write_all(request)).await;
    };
    tokio::join!(read, write);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status of the first answer; empty if there is none.
pub fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}
