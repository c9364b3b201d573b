"""Who judges what: the rota, days away, declared conflicts, and what an expert has seen."""
