"""The door of programs to the process: requests read, drafts written, every verb taken."""
