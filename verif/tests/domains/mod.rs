mod scheduler;
mod share;
mod walk;
