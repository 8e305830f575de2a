//! What the command line is to others: completions for shells, and pages for `man`.

use super::{print, Cli, Exit};
use blockyard_sim::output::{unwritable, write_file};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use miette::{miette, Result};
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for every command into this folder, instead of printing the first one
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints what a shell reads to complete command lines.
///
/// # Errors
/// When it cannot be printed.
pub fn completions(args: &CompletionsArgs) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "blockyard", &mut text);
    print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}

/// Prints the page of `blockyard`, or writes those of all commands and prints their paths.
///
/// # Errors
/// When something cannot be printed or written.
pub fn man(args: &ManArgs) -> Result<Exit> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        print(&page(command)?)?;
        return Ok(Exit::Fine);
    };
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|each| !each.is_hide_set()).cloned());
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        let path = folder.join(format!("{name}.1"));
        let text = page(command)?;
        write_file(&path, |out| out.write_all(text.as_bytes()))?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(Exit::Fine)
}

fn page(command: clap::Command) -> Result<String> {
    let mut text = Vec::new();
    Man::new(command)
        .render(&mut text)
        .map_err(|error| miette!("cannot render a page: {error}"))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
