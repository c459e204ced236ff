"""Playing: experiments and who plays them, the ledger, rehearsal, replay, and what is said when something goes wrong."""
