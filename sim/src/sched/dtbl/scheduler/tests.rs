mod machine;
mod properties;
mod rules;
