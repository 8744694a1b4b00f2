//! Owns how much is asked of a server: what it does not know is left out, one thing after the other.

/// How much of what not every server knows is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers::model) enum Demand {
    /// An answer of this very form.
    Form,
    /// An object, whatever is in it.
    Object,
    /// Words alone.
    Words,
}

impl Demand {
    /// The one that a server is left with after it refused so many.
    pub(in crate::providers::model) const fn after(refused: u8) -> Self {
        match refused {
            0 => Self::Form,
            1 => Self::Object,
            _ => Self::Words,
        }
    }

    /// What a server that refuses this may know; none where there is nothing less. Whether it can be asked for any object depends on the
    /// protocol and the question.
    pub(in crate::providers::model) const fn next(self, has_object: bool) -> Option<Self> {
        match self {
            Self::Form if has_object => Some(Self::Object),
            Self::Form | Self::Object => Some(Self::Words),
            Self::Words => None,
        }
    }
}
