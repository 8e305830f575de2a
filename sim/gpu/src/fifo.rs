//! A queue that lies in one piece: what is put in and taken out in long turns needs no ring.

/// A queue; see the module.
#[derive(Clone, Debug)]
pub struct Fifo<T> {
    /// Those before `first` have been taken out.
    items: Vec<T>,
    first: usize,
}

impl<T> Default for Fifo<T> {
    fn default() -> Self {
        Self { items: Vec::new(), first: 0 }
    }
}

impl<T: Copy> Fifo<T> {
    /// Those in it, the first one in front.
    #[inline(always)]
    pub fn items(&self) -> &[T] {
        // Never beyond the end; `get` spares a way to panic.
        self.items.get(self.first..).unwrap_or_default()
    }

    /// The first one.
    #[inline(always)]
    pub fn front(&self) -> Option<&T> {
        self.items.get(self.first)
    }

    /// The first one, to change.
    #[inline(always)]
    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.items.get_mut(self.first)
    }

    /// The last one.
    #[inline(always)]
    pub fn back(&self) -> Option<&T> {
        self.items().last()
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.first >= self.items.len()
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.items.len() - self.first
    }

    /// Appends `item`.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        if self.items.len() == self.items.capacity() {
            self.push_into_full(item);
        } else {
            self.items.push(item);
        }
    }

    /// Puts `item` in, so that `before` of those in it stay before it.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn insert(&mut self, before: usize, item: T) {
        self.items.insert(self.first + before, item);
    }

    /// Takes the first one out.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        let item = *self.items.get(self.first)?;
        self.first += 1;
        if self.first == self.items.len() {
            // From the start again, where the processor's cache has its memory.
            self.items.clear();
            self.first = 0;
        }
        Some(item)
    }

    /// As [`push`](Self::push): moves those in it to the start, seldom enough that each is moved
    /// once in the mean, or takes more memory.
    #[cold]
    #[inline(never)]
    fn push_into_full(&mut self, item: T) {
        if self.first > self.items.len() / 2 {
            self.items.drain(..self.first);
            self.first = 0;
        }
        self.items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn it_does_what_a_ring_does(changes in prop::collection::vec((0_u8..6, any::<u8>()), 0..300)) {
            let (mut fifo, mut ring) = (Fifo::default(), VecDeque::new());
            for (change, item) in changes {
                match change {
                    0..=2 => {
                        fifo.push(item);
                        ring.push_back(item);
                    }
                    3 | 4 => prop_assert_eq!(fifo.pop(), ring.pop_front()),
                    _ => {
                        let before = usize::from(item) % (ring.len() + 1);
                        fifo.insert(before, item);
                        ring.insert(before, item);
                    }
                }
                prop_assert!(fifo.items().iter().eq(&ring));
                prop_assert_eq!((fifo.front(), fifo.back()), (ring.front(), ring.back()));
                prop_assert_eq!((fifo.len(), fifo.is_empty()), (ring.len(), ring.is_empty()));
            }
        }
    }

    #[test]
    fn it_needs_no_more_memory_than_what_is_in_it() {
        let mut fifo = Fifo::default();
        (0..10).for_each(|item| fifo.push(item));
        for item in 10..100_000 {
            fifo.push(item);
            fifo.pop();
        }
        assert_eq!(fifo.len(), 10);
        assert!(fifo.items.capacity() <= 64, "{}", fifo.items.capacity());
    }
}
