//! Pages: what they have, and what a browser makes of them.
//!
//! Rationale. A page is a program in another language. Chromium loads each kind of page from a
//! file, as a reader does; a page notes every error and every refused access in itself, and a
//! fragment of the address sorts a table, or switches a series off, by the same clicks that a
//! reader makes. What is left in the document is compared with what was asked for, and a page that
//! is broken on purpose shows that errors are seen.

#[path = "../cli/command.rs"]
mod command;

mod blocks;
mod browser;
mod bytes;
mod journal;
mod regression;
mod reproduced;
mod study;
