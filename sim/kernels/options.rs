//! Settings of workloads, from `--set WORKLOAD.KEY=VALUE`: whole numbers with limits, or one of a
//! few names.

use blockyard_workloads::graph::SetError;

/// Most elements of an array.
pub(crate) const MAX_COUNT: u32 = 1 << 26;

/// Most elements along a side of a matrix or a map: those of a whole one have 32-bit numbers.
pub(crate) const MAX_SIDE: u32 = 1 << 13;

/// Most blocks along x on every GPU since Fermi, in grids that threads go through in turn.
pub(crate) const MAX_GRID: u32 = 65_535;

/// Most threads of a block on every GPU since Fermi.
pub(crate) const MAX_BLOCK: u32 = 1024;

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `vecadd.count`
    pub key: &'static str,
    /// What it counts.
    pub about: &'static str,
    /// Its value unless it is set.
    pub default: u32,
    /// The least that it takes.
    pub least: u32,
    /// The most that it takes.
    pub most: u32,
    /// What its values are called, from 0 on; empty where they are numbers.
    pub names: &'static [&'static str],
}

impl Setting {
    /// The value that `text` stands for.
    ///
    /// # Errors
    /// When it is not one that the setting takes.
    pub(crate) fn value(&self, text: &str) -> Result<u32, SetError> {
        if self.names.is_empty() {
            return SetError::number(self.key, text, self.least, self.most);
        }
        let named = self.names.iter().position(|&name| name == text);
        named.map(|value| value as u32).ok_or_else(|| SetError::BadValue {
            key: self.key.to_owned(),
            value: text.to_owned(),
            expected: self.names.join(" or "),
        })
    }
}

/// The settings of one workload: a struct with a field for each key after the dot, its default, the
/// least and the most that it takes; after the field, what these are called if they have names.
macro_rules! options {
    (
        $(#[$about:meta])*
        $name:ident of $workload:literal {
            $($(#[doc = $what:literal])+ $field:ident $(($($value:literal),+))?:
                $default:literal in $least:literal..=$most:expr,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $what])+ pub $field: u32,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $name {
            /// All settings, in the order of the fields.
            pub const SETTINGS: &'static [$crate::Setting] = &[$($crate::Setting {
                key: concat!($workload, ".", stringify!($field)),
                about: concat!($($what),+).trim_ascii(),
                default: $default,
                least: $least,
                most: $most,
                names: &[$($($value),+)?],
            }),+];

            /// Sets `key`, one of [`Self::SETTINGS`], to `value`.
            ///
            /// # Errors
            /// When the key is unknown, or the value is not one that it takes.
            pub fn set(
                &mut self,
                key: &str,
                value: &str,
            ) -> Result<(), blockyard_workloads::graph::SetError> {
                use blockyard_workloads::graph::SetError;
                let setting = Self::SETTINGS.iter().find(|setting| setting.key == key);
                let unknown = || SetError::UnknownKey {
                    key: key.to_owned(),
                    known: Self::SETTINGS.iter().map(|setting| setting.key).collect(),
                };
                let value = setting.ok_or_else(unknown)?.value(value)?;
                match key {
                    $(concat!($workload, ".", stringify!($field)) => self.$field = value,)+
                    _ => return Err(unknown()),
                }
                Ok(())
            }
        }
    };
}
pub(crate) use options;
