"""What pages do beside the verbs of the table, for programs: the same forms, acts and refusals."""
