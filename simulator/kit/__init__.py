"""The kit: what games are made of. Dice and spinners, piles and bags, seats, questions, and the declaration of a table."""
