"""Policies and answers, over the vectors. The library is the one that HOLDFAST_LIBRARY names."""

import gc
import pathlib
import threading
import unittest

import holdfast

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "Vectors"
CHAIN = (VECTORS / "demo/chain.pem").read_text()
ROOT = VECTORS / "demo/root.pem"
HOST, TIME = "www.demo.example", 1782000000
PIN = "sha256/MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="


class Policies(unittest.TestCase):
    def test_a_trusted_chain_has_a_path_and_a_document(self):
        answer = holdfast.Policy(ROOT).verify(CHAIN, host=HOST, time=TIME)
        self.assertTrue(answer.trusted)
        self.assertEqual((answer.verdict, answer.code), ("trusted", ""))
        self.assertEqual(answer.reason, f"valid for server {HOST}")
        self.assertEqual(answer.json["path"].__len__(), len(answer.path))
        self.assertEqual(answer.json["input"]["time"], "2026-06-21T00:00:00Z")
        self.assertGreater(answer.valid_until, TIME)

    def test_a_rejection_says_why(self):
        answer = holdfast.Policy(ROOT.read_bytes()).verify(CHAIN, host="b.example", time=TIME)
        self.assertFalse(answer.trusted)
        self.assertEqual((answer.verdict, answer.code), ("rejected", "host_name"))
        self.assertIn("b.example", answer.reason)
        self.assertTrue(answer.log_line.startswith("b.example: "))
        self.assertEqual(answer.json["reason"], answer.reason)
        self.assertIsNone(answer.valid_until)
        self.assertTrue(answer.page.startswith("<!DOCTYPE html>"))
        self.assertIn("b.example", answer.page)

    def test_pins_count_for_their_hosts_alone(self):
        policy = holdfast.Policy(ROOT, pins={"*.demo.example": [PIN]})
        self.assertEqual(policy.verify(CHAIN, host=HOST, time=TIME).verdict, "pinMismatch")
        self.assertTrue(policy.verify(CHAIN, host="demo.example", time=TIME).trusted)

    def test_what_cannot_be_used_is_an_error(self):
        for status, make in {
            "HOLDFAST_NOT_USABLE": lambda: holdfast.Policy(ROOT, pins={"a.example": ["sha256/short"]}),
            "HOLDFAST_BAD_TEXT": lambda: holdfast.Policy(ROOT, rules="\udcff"),
            "HOLDFAST_BAD_ARGUMENT": lambda: holdfast.Policy(ROOT).verify(CHAIN),
            "HOLDFAST_TOO_LARGE": lambda: holdfast.Policy(ROOT, rules="x" * 5000),
        }.items():
            with self.assertRaises(holdfast.Error, msg=status) as caught:
                make()
            self.assertEqual(caught.exception.status, status)
        with self.assertRaises(TypeError):
            holdfast.Policy(ROOT, pins={"a.example": PIN})

    def test_a_verdict_holds_for_its_policy_and_its_host(self):
        policy = holdfast.Policy(ROOT)
        answer = policy.verify(CHAIN, host=HOST, time=TIME)
        self.assertTrue(answer.holds(policy, HOST, TIME))
        self.assertFalse(answer.holds(policy, "demo.example", TIME))
        self.assertFalse(answer.holds(holdfast.Policy(ROOT), HOST, TIME))
        self.assertFalse(answer.holds(policy, HOST, answer.valid_until + 1))

    def test_an_answer_outlives_its_policy(self):
        answer = holdfast.Policy(ROOT).verify(CHAIN, host=HOST, time=TIME)
        gc.collect()
        self.assertTrue(answer.trusted)

    def test_threads_share_a_policy(self):
        policy, found = holdfast.Policy(ROOT), []
        def ask():
            found.extend(policy.verify(CHAIN, host=HOST, time=TIME).trusted for _ in range(20))
        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 320)

    def test_a_question_has_nothing_of_the_one_before(self):
        policy, ders = holdfast.Policy(ROOT, revocation="leaf"), holdfast._policy._ders(CHAIN)
        def ask(count=2, **more):
            return policy.verify((ders * 20)[:count], host=HOST, time=TIME, **more).document
        short, long, alone = ask(), ask(40), ask(1)
        self.assertNotEqual(short, alone)
        for _ in range(3):
            self.assertNotEqual(ask(staple=b"none", handshake=True), short)
            self.assertEqual(ask(), short)
            self.assertEqual(ask(40), long)
            self.assertEqual(ask(1), alone)
            self.assertRaises(TypeError, ask, staple="a text")
            self.assertRaises(holdfast.Error, policy.verify, ders, time=TIME)
            self.assertRaises(KeyError, ask, purpose="none")
            self.assertEqual(ask(), short)

    def test_each_part_of_a_question_counts_after_one_that_differs_in_it_alone(self):
        policy, ders = holdfast.Policy(ROOT), holdfast._policy._ders(CHAIN)
        def is_trusted(**more):
            return policy.verify(ders, **{"host": HOST, "time": TIME, **more}).trusted
        for _ in range(2):
            self.assertTrue(is_trusted())
            self.assertFalse(is_trusted(host="b.example"))
            self.assertFalse(is_trusted(time=TIME - (1 << 30)))
            self.assertFalse(is_trusted(purpose="client", host=None))
        # The list is the same object, and another chain.
        leaf, ders[0] = ders[0], ders[1]
        self.assertFalse(is_trusted())
        ders[0] = leaf
        self.assertTrue(is_trusted())

    def test_a_question_within_another_changes_neither(self):
        policy, other = holdfast.Policy(ROOT), []
        class Chain(list):
            def __iter__(self):
                for part in super().__iter__():
                    yield part
                    other.append(policy.verify(CHAIN, host="b.example", time=TIME).trusted)
        ders = holdfast._policy._ders(CHAIN)
        self.assertFalse(policy.verify(ders[1:], host=HOST, time=TIME).trusted)
        self.assertTrue(policy.verify(Chain(ders), host=HOST, time=TIME).trusted)
        self.assertEqual(other, [False, False])

    def test_a_child_process_goes_on(self):
        import multiprocessing
        policy = holdfast.Policy(ROOT)
        self.assertTrue(policy.verify(CHAIN, host=HOST, time=TIME).trusted)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(_ask, [HOST, "b.example"]), [True, False])


def _ask(host: str) -> bool:
    return holdfast.Policy(ROOT).verify(CHAIN, host=host, time=TIME).trusted


if __name__ == "__main__":
    unittest.main()
