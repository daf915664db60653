"""States of the widget in which a trained network reads words."""

from functools import partial

from hypothesis import strategies as st

from firth.rnn.small_text import WORDS
from firth.widgets.rnn.reader import LONGEST, PHRASES, RnnReader

words = st.sampled_from(WORDS)
STRATEGIES = {
    RnnReader: st.builds(
        lambda sentence, more: partial(RnnReader, sentence, more=more),
        st.lists(words, max_size=LONGEST),
        words | st.sampled_from(PHRASES),
    )
}
