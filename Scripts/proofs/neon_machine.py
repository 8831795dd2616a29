"""NEON's instructions on polynomials. Lanes are integers with a sign; what does not fit into one is a failure."""
from algebra import Failure
from machine import Word


class Neon:
    """A part of the machine of c_machine.py."""

    def signed(self, poly, low, high, bits):
        """An integer that has to fit into a lane."""
        word = self.machine.word(poly, "Lane", low, high)
        least, most = -1 << bits - 1, (1 << bits - 1) - 1
        if (word.low < least or word.high > most) and not self.context.within(poly, least, most):
            raise Failure(f"a number of {bits} bits may wrap: {self.context.describe(poly)}")
        return Word(word.poly, max(word.low, least), min(word.high, most), "Lane")

    def sums(self, x, y, bits):
        def one(a, b):
            a, b = self.machine.match(a, b)
            return self.signed(a.poly + b.poly, a.low + b.low, a.high + b.high, bits)
        return self.each(one, x, y)

    def products(self, total, x, y):
        """t + x y in 64 bits, of factors of 32."""
        def one(t, a, b):
            a, b = self.machine.match(a, b)
            ends = [u * v for u in (a.low, a.high) for v in (b.low, b.high)]
            return self.signed(t.poly + self.context.product(a.poly, b.poly), t.low + min(ends),
                               t.high + max(ends), 64)
        return self.each(one, total, x, y)

    def quotients(self, x, count):
        def one(word):
            poly = self.context.floor(word.poly, count, (word.low, word.high))
            return self.machine.word(poly, "Lane", word.low >> count, word.high >> count)
        return self.each(one, x)

    def do_vld1q_u32(self, words):
        return self.load(self.pointer(words), 4)

    def do_vld1q_u64(self, words):
        """A word in memory may be a pair of halves with signs."""
        words = self.pointer(words)
        found = [words.read(i) for i in range(2)]
        return self.vector(found) if isinstance(found[0], tuple) else self.load(words, 2)

    def do_vst1q_u64(self, pointer, x):
        for index, word in enumerate(x.words):
            pointer.write(word, index)

    def do_vreinterpretq_s32_u64(self, x):
        return self.vector([half for pair in x.words for half in pair])

    def do_vreinterpretq_u64_s32(self, x):
        return self.vector([tuple(x.words[i:i + 2]) for i in (0, 2)])

    def do_vdupq_n_s32(self, number):
        return self.vector([self.lane(number)] * 4)

    def do_vdupq_n_s64(self, number):
        return self.vector([self.lane(number)] * 2)

    def do_vaddq_s32(self, x, y):
        return self.sums(x, y, 32)

    def do_vaddq_s64(self, x, y):
        return self.sums(x, y, 64)

    def do_vnegq_s32(self, x):
        return self.do_vmulq_n_s32(x, -1)

    def do_vsubq_s32(self, x, y):
        """Of residues modulo 2^32, too, if the difference fits."""
        return self.each(lambda a, b: self.signed(a.poly - b.poly, a.low - b.high, a.high - b.low, 32), x, y)

    def do_vmulq_n_s32(self, x, number):
        def one(a):
            ends = (a.low * number, a.high * number)
            return self.signed(a.poly.scaled(number), min(ends), max(ends), 32)
        return self.each(one, x)

    def do_vmlaq_n_s32(self, total, x, number):
        return self.sums(total, self.do_vmulq_n_s32(x, number), 32)

    def do_vmlal_s32(self, total, x, y):
        return self.products(total, x, y)

    def do_vmlal_high_s32(self, total, x, y):
        return self.products(total, self.vector(x.words[2:]), self.vector(y.words[2:]))

    def do_vandq_s64(self, x, y):
        return self.each(self.machine.conjunction, x, y)

    def do_vandq_s32(self, x, y):
        """A mask makes numbers of halves of words, too."""
        def one(a, mask):
            if not mask.poly.is_constant or not 0 <= mask.poly.constant < 1 << 31:
                raise Failure("a mask of another kind")
            return self.machine.and_constant(Word(a.poly, a.low, a.high, "Lane"), mask.poly.constant)
        return self.each(one, x, y)

    def do_vmovn_s64(self, x):
        """The lower halves of words: nothing but a mask takes them."""
        return self.vector([Word(w.poly, w.low, w.high, "Half") for w in x.words])

    do_vmovn_u64 = do_vmovn_s64

    def do_vshrq_n_s64(self, x, count):
        return self.quotients(x, count)

    def do_vsraq_n_s64(self, total, x, count):
        return self.sums(total, self.quotients(x, count), 64)

    def do_vshlq_n_s64(self, x, count):
        return self.each(lambda w: self.signed(w.poly.scaled(1 << count), w.low << count, w.high << count, 64), x)

    def do_vshrq_n_u64(self, x, count):
        return self.do_mm256_srli_epi64(x, count)

    def do_vshlq_n_u64(self, x, count):
        return self.do_mm256_slli_epi64(x, count)

    def do_vorrq_u64(self, x, y):
        return self.do_mm256_or_si256(x, y)

    def do_vget_low_s32(self, x):
        return self.vector(x.words[:2])

    def do_vcombine_s32(self, x, y):
        return self.vector(x.words + y.words)

    do_vcombine_u32 = do_vcombine_s32

    def do_vreinterpretq_s32_u32(self, x):
        return x

    def do_vuzp1q_s32(self, x, y):
        return self.vector((x.words + y.words)[::2])

    def do_vuzp2q_s32(self, x, y):
        return self.vector((x.words + y.words)[1::2])

    def do_vzip1q_s32(self, x, y):
        return self.vector([word for pair in zip(x.words[:2], y.words[:2]) for word in pair])

    def do_vzip2q_s32(self, x, y):
        return self.vector([word for pair in zip(x.words[2:], y.words[2:]) for word in pair])

    def do_vtrn1q_s32(self, x, y):
        return self.vector([x.words[0], y.words[0], x.words[2], y.words[2]])

    def do_vpaddq_s32(self, x, y):
        words = x.words + y.words
        return self.sums(self.vector(words[::2]), self.vector(words[1::2]), 32)

    def do_vcopyq_laneq_s32(self, x, lane, y, other):
        return self.vector([y.words[other] if i == lane else word for i, word in enumerate(x.words)])

    def do_vdupq_laneq_s32(self, x, lane):
        return self.vector([x.words[lane]] * 4)

    def do_vshlq_n_s32(self, x, count):
        """What is above is dropped: only a difference takes the result."""
        return self.vector([Word(w.poly.scaled(1 << count), w.low << count, w.high << count, "Half") for w in x.words])

    def do_vrshrn_n_s64(self, x, count):
        half = 1 << count - 1

        def one(word):
            poly = self.context.floor(word.poly.plus(half), count, (word.low + half, word.high + half))
            return self.signed(poly, word.low + half >> count, word.high + half >> count, 32)
        return self.each(one, x)

    def do_vtrn1q_u64(self, x, y):
        return self.vector([x.words[0], y.words[0]])

    def do_vtrn2q_u64(self, x, y):
        return self.vector([x.words[1], y.words[1]])

    def do_vrev64q_s32(self, x):
        return self.vector([x.words[i ^ 1] for i in range(4)])

    # Without signs.

    def unsigned_products(self, total, x, y):
        def one(t, a, b):
            high = t.high + a.high * b.high
            if min(t.low, a.low, b.low) < 0 or high >= 1 << 64:
                raise Failure("a sum of 64 bits may wrap")
            return self.machine.word(t.poly + self.context.product(a.poly, b.poly), "Lane", 0, high)
        return self.each(one, total, x, y)

    def do_vdupq_n_u32(self, number):
        return self.vector([self.lane(number)] * 4)

    def do_vdupq_n_u64(self, number):
        return self.vector([self.lane(number)] * 2)

    def do_vld1q_s32(self, words):
        return self.load(self.pointer(words), 4)

    def do_vst1q_u32(self, pointer, x):
        for index, word in enumerate(x.words):
            pointer.write(word, index)

    def do_vaddq_u32(self, x, y):
        return self.sums(x, y, 32)

    def do_vaddq_u64(self, x, y):
        def one(a, b):
            if min(a.low, b.low) < 0 or a.high + b.high >= 1 << 64:
                raise Failure("a sum of 64 bits may wrap")
            return self.machine.word(a.poly + b.poly, "Lane", 0, a.high + b.high)
        return self.each(one, x, y)

    def do_vget_low_u32(self, x):
        return self.vector(x.words[:2])

    def do_vmlal_laneq_u32(self, total, x, y, lane):
        return self.unsigned_products(total, x, self.vector([y.words[lane]] * 2))

    def do_vmlal_high_laneq_u32(self, total, x, y, lane):
        return self.do_vmlal_laneq_u32(total, self.vector(x.words[2:]), y, lane)

    def do_vshlq_u32(self, x, counts):
        """Negative counts shift to the right."""
        def one(word, count):
            count = count.poly.constant if count.poly.is_constant else None
            if count == -32:
                return self.lane(0)
            if count not in (0, 1):
                raise Failure("a shift by another number")
            return self.signed(word.poly.scaled(1 << count), word.low << count, word.high << count, 32)
        return self.each(one, x, counts)

    def do_vgetq_lane_u64(self, x, lane):
        word = self.machine.unsigned(x.words[lane])
        return Word(word.poly, word.low, word.high, "UInt64")

    def do_vcreate_u64(self, word):
        return self.vector([self.lane(word)])

    def do_vcombine_u64(self, x, y):
        return self.vector(x.words + y.words)

    def do_vreinterpretq_u32_u64(self, x):
        """The lower and the upper half of each word."""
        words = []
        for word in x.words:
            upper = self.machine.shifted_right(word, 32)
            words += [self.machine.and_constant(word, (1 << 32) - 1), upper]
        return self.vector(words)
