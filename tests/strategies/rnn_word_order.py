"""States of the widget in which three words change their order."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.rnn.word_order import WORDS, RnnWordOrder

STRATEGIES = {
    RnnWordOrder: st.builds(
        lambda sentence, step: partial(RnnWordOrder, sentence, step=step),
        st.permutations(WORDS),
        st.integers(1, len(WORDS)),
    )
}
