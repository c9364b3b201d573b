"""What `make` needs beside pip and npm: Python's own library is enough for all of it."""
