//! `blockyard preset`.

use super::{print, Exit};
use blockyard_sim::gpu::config::{GpuConfig, SourcedValue, Standing};
use clap::Args;
use miette::{IntoDiagnostic, Result};
use serde_json::json;
use std::fmt::Write;

/// Arguments of `preset`.
#[derive(Debug, Args)]
pub struct PresetArgs {
    /// GPU preset; `blockyard list gpus` shows them
    #[arg(long, value_name = "GPU")]
    show: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints every value of a preset with its source, and which of them were fitted or chosen.
///
/// # Errors
/// When there is no such preset.
pub fn main(args: &PresetArgs) -> Result<Exit> {
    let file = GpuConfig::file(&args.show)?;
    if args.json {
        let values: Vec<_> = file.values.iter().map(entry).collect();
        let preset = json!({ "name": args.show, "title": file.title, "values": values });
        print(&(serde_json::to_string_pretty(&preset).into_diagnostic()? + "\n"))?;
        return Ok(Exit::Fine);
    }
    let mut text = format!("{}\n", file.title);
    for value in &file.values {
        let pair = format!("{} = {}", value.key, value.value);
        let _ = writeln!(text, "{:<6}  {pair:<38}  {}", name(value.standing()), value.source);
    }
    let of = |standing| file.values.iter().filter(|value| value.standing() == standing).count();
    let [stated, fitted, chosen] = [Standing::Stated, Standing::Fitted, Standing::Chosen].map(of);
    let _ = writeln!(
        text,
        "{stated} values are stated by their sources, {fitted} fitted, {chosen} chosen"
    );
    print(&text)?;
    Ok(Exit::Fine)
}

fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Stated => "stated",
        Standing::Fitted => "fitted",
        Standing::Chosen => "chosen",
    }
}

fn entry(value: &SourcedValue) -> serde_json::Value {
    let SourcedValue { key, value: written, source } = value;
    json!({ "key": key, "value": written, "standing": value.standing(), "source": source })
}
