"""What people say of a request: in public, by mail, among experts, and hidden from readers."""
