"""What the rules of Christmas Crocs leave open, and how it is settled; the constants' own gaps are in `rules`."""

from __future__ import annotations

from simulator.game import rulings

RULINGS = rulings("""
C1 deck.when_empty: When the deck is empty the discards are shuffled into a new one; with both empty you play without drawing, or pass
    with no card in hand. Or the game ends, and most full slots win.
C2: You have to play one card if any legal play exists.
C3: With no legal play you discard one card of your choice, to no effect.
C4: A Santa or an Elf may be played as a question that fails.
C5: The question goes to one player, whom you choose.
C6 ask.must_give: Who is asked and holds the card must give one. Or may.
C7: You may ask only with a slot for the card; for a cane a half-filled one will do.
C8 hand.elf_below: Elf's other use draws a card, which you keep, if few enough cards are in your hand once the Elf is played. Or the Elf
    itself still counts, so that there have to be one fewer.
C9: Coal blocks an open slot of another player, and can be played only where there is one. It never counts as a present. Santa's other
    use removes one of your own.
C10: Scrooge empties one slot of another player: a present, two canes or a single cane, but not Coal.
C11: The Grinch Croc takes up to two presents, no canes, of one player who has any. You need an open slot, neither half-filled nor
    blocked; with one open slot the second present is discarded.
C12 heart.window: Right after a Grinch Croc that does not win, every other player may answer with a Heart, in turn order; one is enough.
    Or each at the start of their own turn, until the play returns to the thief.
C13: A Heart is played out of turn, costs no turn and is not replaced.
C14: The stolen presents go to the two players after the thief, one each; of two players the other one gets both. What finds no open
    slot is discarded, and a last slot filled so wins.
C15: A Grinch Croc that fills the last slot can be answered only by the next player, from the hand and before drawing. Otherwise the
    thief wins.
C16: At any other time a Heart can only be discarded under C3.
C17: A cane goes into an open slot or completes a half-filled one, as you like. A cane given to an Elf is the turn's play.
C18: Choo Choo turns the direction, which does nothing between two players. A Snow Croc makes one player miss the next turn.
C19: Filling all slots wins at once, on anyone's turn.
C20: A Snow Croc goes to a player who is not frozen already.
C21: Elf's draw needs a card to draw, after reshuffling if that is the rule.
C22 snow.silences: A frozen player misses the next turn and nothing else, and so may be asked, has to give and may play a Heart. Or
    gives nothing and plays no Heart until the turn missed is over.
""")
