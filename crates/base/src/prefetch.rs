//! Hints to the processor to fetch memory that is read soon. A search waits for memory more than it computes, and the
//! entries of all children of a position can be on their way while the last of them are still computed.

/// Begins to fetch the cache line of a value, where the processor has an instruction for it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
