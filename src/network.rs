//! The networks that connections come from, and which connection has to go where one has too many.

use std::collections::BTreeMap;
use std::net::IpAddr;

/// An address as it is counted: one of IPv4, or the first 64 bits of IPv6, of which one household has many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Network(IpAddr);

impl Network {
    pub fn from_address(address: IpAddr) -> Network {
        match address.to_canonical() {
            IpAddr::V6(address) => Network(IpAddr::from((address.to_bits() >> 64 << 64).to_be_bytes())),
            address => Network(address),
        }
    }
}

/// Returns the connection that makes room for another one of `network`: its own oldest if it has `most_of_one`, and the oldest of the
/// network that has the most if there are `most` in all. Numbers rise with the age's end.
pub fn crowded(
    connections: impl Iterator<Item = (u64, Network)>,
    network: Network,
    most_of_one: usize,
    most: usize,
) -> Option<u64> {
    let mut by_network: BTreeMap<Network, Vec<u64>> = BTreeMap::new();
    connections.for_each(|(number, network)| by_network.entry(network).or_default().push(number));
    let own = by_network.get(&network).filter(|own| own.len() >= most_of_one);
    let largest = || by_network.values().max_by_key(|numbers| numbers.len());
    let is_full = by_network.values().map(Vec::len).sum::<usize>() >= most;
    own.or_else(|| largest().filter(|_| is_full))?.iter().min().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::from_address(text.parse().unwrap())
    }

    #[test]
    fn an_address_of_ipv6_counts_as_its_network() {
        assert_eq!(network("2001:db8::1"), network("2001:db8:0:0:ffff::2"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:10.0.0.1"), network("10.0.0.1"));
        assert_ne!(network("10.0.0.2"), network("10.0.0.1"));
    }

    #[test]
    fn the_oldest_of_those_who_have_the_most_goes() {
        let [one, other] = [network("10.0.0.1"), network("10.0.0.2")];
        let open = [(1, other), (2, one), (3, one), (4, one)];
        let gone = |from: Network, most_of_one: usize, most: usize| crowded(open.into_iter(), from, most_of_one, most);
        assert_eq!(gone(one, 4, 5), None);
        assert_eq!(gone(one, 3, 5), Some(2));
        assert_eq!(gone(other, 3, 5), None);
        assert_eq!(gone(other, 3, 4), Some(2), "of the one that has three");
        assert_eq!(gone(other, 1, 4), Some(1));
        assert_eq!(gone(network("10.0.0.3"), 3, 4), Some(2));
    }
}
