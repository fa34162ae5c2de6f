//! A connection that takes a limited number of bytes a second from its client.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The bytes that may come at once, beyond the rate: a key exchange takes a few thousand.
const BURST: f64 = 32768.0;

/// The connection. Once the allowance is spent, it is not read, and the client waits.
pub struct MeteredStream {
    stream: TcpStream,
    /// Bytes a second.
    rate: f64,
    allowance: f64,
    updated: Instant,
    pause: Option<Pin<Box<Sleep>>>,
    /// The client has had to wait, which is logged once.
    has_waited: bool,
}

impl MeteredStream {
    pub fn new(stream: TcpStream, bytes_a_second: u32) -> MeteredStream {
        let rate = f64::from(bytes_a_second.max(1));
        MeteredStream { stream, rate, allowance: BURST, updated: Instant::now(), pause: None, has_waited: false }
    }
}

impl AsyncRead for MeteredStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(cx));
            this.pause = None;
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
        let now = Instant::now();
        this.allowance = BURST.min(this.allowance + this.rate * (now - this.updated).as_secs_f64());
        this.updated = now;
        this.allowance -= (buf.filled().len() - before) as f64;
        if this.allowance < 0.0 {
            if !std::mem::replace(&mut this.has_waited, true) {
                tracing::info!(address = ?this.stream.peer_addr().ok(), "a client sends more than {} bytes a second", this.rate);
            }
            this.pause = Some(Box::pin(sleep(Duration::from_secs_f64(-this.allowance / this.rate))));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for MeteredStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    #[test]
    fn what_exceeds_the_rate_waits() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let mut metered = MeteredStream::new(listener.accept().await.unwrap().0, 100_000);
            let sent = BURST as usize + 50_000;
            client.write_all(&vec![0; sent]).await.unwrap();
            let began = Instant::now();
            let mut buffer = vec![0; sent];
            metered.read_exact(&mut buffer[..1000]).await.unwrap();
            assert!(began.elapsed() < Duration::from_millis(300), "a burst is free");
            metered.read_exact(&mut buffer[1000..]).await.unwrap();
            // Half a second's worth; what was read last is paid for by the next read.
            let pause = metered.pause.is_some();
            let took = began.elapsed();
            assert!(took >= Duration::from_millis(300) || pause, "{took:?}");
            client.write_all(&[0]).await.unwrap();
            metered.read_exact(&mut buffer[..1]).await.unwrap();
            assert!(began.elapsed() >= Duration::from_millis(490), "{:?}", began.elapsed());
        });
    }
}
