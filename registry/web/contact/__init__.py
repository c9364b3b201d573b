"""Writing to the registrar, and what security researchers look for."""
