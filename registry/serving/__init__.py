"""What is public is answered from memory while the registry stays as it is."""
