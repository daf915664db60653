"""Training steps of skip-gram and CBOW with negative sampling, compiled by numba.

    e_j = σ(u_j·h) − label_j        u_j −= η e_j h        h −= η Σⱼ e_j u_j

In skip-gram h is the vector v_w of the centre word, and each context word gives one example. In
CBOW h is the mean of the context's c word vectors, and the centre word gives the only example. The
program word2vec.c adds the whole step of h to each of the c vectors. The chain rule gives a c-th
of it to each, which is "corrected CBOW" (İrsoy, Benton and Stratos, 2021).

The functions change their arrays in place. Random numbers are those of word2vec.c: a state leads
to the next by state · LCG + 11, and bits from the middle of the state choose.
"""

from typing import no_type_check

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from .word2vec import sigmoid

METHODS = ("skip-gram", "CBOW", "corrected CBOW")
TABLE = 1 << 20  # entries in the table of noise words; a power of two, so that bits are an index
LCG = np.uint64(25214903917)
AHEAD = 512  # bytes of a row that are fetched ahead: 128 numbers; more than the row has is harmless
LARGEST = np.float32(7.99)  # larger scores are cut to this one, where σ is 0.9997
SIGMA = sigmoid((np.arange(1024, dtype=np.float32) + 0.5) / 64 - 8)  # faster than an exponential

compiled = njit(fastmath=True, nogil=True, cache=True)


@intrinsic
def prefetch(_, address):
    """Asks the processor to copy the 64 bytes at an address to its cache, without waiting."""

    def instruction(context, builder, _, arguments):
        pointer = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        number = cgutils.int32_t
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        read, keep, data = number(0), number(3), number(1)
        builder.call(function, [pointer, read, keep, data])
        return context.get_dummy_value()

    return types.void(types.intp), instruction


@no_type_check  # numba checks the types of compiled functions
@compiled
def add(x, y):
    """Adds y to x in place, without the checks and copies of an addition of arrays."""
    for q in range(len(x)):
        x[q] += y[q]


@no_type_check
@compiled
def draw_noise_words(words, U, table, state):
    """Draws noise words into words[1:] and returns the next state of the random numbers.

    It looks them up in `table`, and prefetches the rows of U of all words. Training would otherwise
    wait for memory half of the time.
    """
    for i in range(len(words)):
        if i:
            state = state * LCG + np.uint64(11)
            words[i] = table[(state >> np.uint64(16)) & np.uint64(TABLE - 1)]
        begin = U.ctypes.data + words[i] * U.strides[0]
        for byte in range(0, AHEAD, 64):
            prefetch(begin + byte)
    return state


@no_type_check
@compiled
def context_words(row, t, reach, context):
    """Writes the known words within `reach` positions of t into `context`; returns their number.

    `row` holds the ids of the text.
    """
    c = 0
    for other in range(max(0, t - reach), min(len(row), t + reach + 1)):
        if other != t and row[other] >= 0:
            context[c] = row[other]
            c += 1
    return c


@no_type_check
@compiled
def move_context_vectors(h, dh, U, words, g, eta):
    """Changes the rows of U by one step of skip-gram or CBOW, and writes the change of h into dh.

    h is the input vector, words[0] the id of the word to predict, and the other ids are noise
    words. The caller adds dh to the word vectors that h is made of. g is space for −η e_j, where
    e_j = σ(score) − label is the error of word j and η is `eta`. All scores are computed before
    the first row of U changes, because this is faster than one word after the other.
    """
    for i in range(len(words)):
        u, score = U[words[i]], np.float32(0)
        for q in range(len(h)):
            score += h[q] * u[q]
        place = (min(max(score, -LARGEST), LARGEST) + np.float32(8)) * np.float32(64)
        g[i] = eta * (np.float32(i == 0) - SIGMA[np.int32(place)])
        if i and words[i] == words[0]:  # the word to predict was drawn: it is no noise here
            g[i] = 0
    dh[:] = 0
    for i in range(len(words)):
        u = U[words[i]]
        for q in range(len(h)):
            dh[q] += g[i] * u[q]
            u[q] += g[i] * h[q]


@no_type_check
@compiled
def steps(row, begin, end, V, U, m, k, table, eta, state, method):
    """Changes V and U in place by the training steps of all centre words of row[begin:end].

    m is the largest reach of a window, and k the number of noise words of an example. `table` holds
    noise words to draw from, `state` seeds the draws, eta is the learning rate, and `method` the
    index of the method in METHODS. The noise words of all examples of a centre word are drawn
    before its first step, so that their rows have time to arrive.
    """
    d = V.shape[1]
    context, words = np.empty(2 * m, np.int32), np.empty((2 * m, k + 1), np.int32)
    g, h, dh = np.empty(k + 1, np.float32), np.empty(d, np.float32), np.empty(d, np.float32)
    for t in range(begin, end):
        if row[t] < 0:
            continue
        state = state * LCG + np.uint64(11)
        reach = 1 + np.int64((state >> np.uint64(16)) % np.uint64(m))
        c = context_words(row, t, reach, context)
        for j in range(min(c, 1) if method else c):
            words[j, 0] = row[t] if method else context[j]
            state = draw_noise_words(words[j], U, table, state)
        if method and c:
            h[:] = 0
            for w in context[:c]:
                add(h, V[w])
            h /= np.float32(c)
            move_context_vectors(h, dh, U, words[0], g, eta)
            if method == 2:  # corrected: word2vec.c leaves this out
                dh /= np.float32(c)
            for w in context[:c]:
                add(V[w], dh)
        elif c:
            v = V[row[t]]
            for j in range(c):
                move_context_vectors(v, dh, U, words[j], g, eta)
                add(v, dh)
