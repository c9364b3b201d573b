"""Other people's npm programs: their versions, and how to run them."""
