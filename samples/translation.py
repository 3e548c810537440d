"""Machine translation with beam search: a model that is saved as one file, with the loop that searches in it.

English sentences of a small grammar are translated into French, where adjectives follow their noun and agree with it,
verbs go with their subject, "je" may lose its vowel, and "not" goes around the verb: "the small girls do not see a
red apple" is "les petites filles ne voient pas de pomme rouge". An encoder (bidirectional GRU) reads the English
words; a decoder (GRU with attention) is taught with the right words so far, and searches with `BeamSearchDecoder` and
`dynamic_decode` afterwards. `translate` is a static function: the search is a loop in the Program, so the saved file
takes English words and gives French ones.

    python samples/translation.py               train, translate, save to out/translation
    python samples/translation.py --steps 100   a shorter training
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.static import InputSpec

# noun: French, feminine
NOUNS = {"cat": ("chat", 0), "dog": ("chien", 0), "girl": ("fille", 1), "boy": ("garçon", 0), "house": ("maison", 1),
         "apple": ("pomme", 1), "book": ("livre", 0), "table": ("table", 1), "garden": ("jardin", 0),
         "car": ("voiture", 1)}  # fmt: skip
# adjective: masculine, feminine, before its noun
ADJECTIVES = {"small": ("petit", "petite", 1), "big": ("grand", "grande", 1), "black": ("noir", "noire", 0),
              "green": ("vert", "verte", 0), "red": ("rouge", "rouge", 0), "white": ("blanc", "blanche", 0)}  # fmt: skip
# verb: with I, with one, with many, and whether it begins with a vowel
VERBS = {"see": ("vois", "voit", "voient", 0), "like": ("aime", "aime", "aiment", 1), "want": ("veux", "veut", "veulent", 0),
         "have": ("ai", "a", "ont", 1), "find": ("trouve", "trouve", "trouvent", 0)}  # fmt: skip
PAD, START, END = 0, 1, 2


def noun_phrase(rng) -> tuple[list[str], list[str], int]:
    """English, French, and 1 when it is many."""
    noun = str(rng.choice(list(NOUNS)))
    french, feminine = NOUNS[noun]
    many, known = int(rng.random() < 0.4), rng.random() < 0.6
    one, this = (("un", "le"), ("une", "la"))[feminine]
    article = ("les" if many else this) if known else "des" if many else one
    s = "s" if many else ""
    english, before, after = ["the"] if known else [] if many else ["a"], [], []
    if rng.random() < 0.6:
        adjective = str(rng.choice(list(ADJECTIVES)))
        english.append(adjective)
        form = ADJECTIVES[adjective][feminine] + s
        (before if ADJECTIVES[adjective][2] else after).append(form)
        if before and article == "des":
            article = "de"
    return [*english, noun + s], [article, *before, french + s, *after], many


def sentence(rng) -> tuple[list[str], list[str]]:
    """A sentence in English and French."""
    verb = str(rng.choice(list(VERBS)))
    with_i, with_one, with_many, vowel = VERBS[verb]
    negated = rng.random() < 0.3
    thing, french_thing, _ = noun_phrase(rng)
    if rng.random() < 0.25:
        english, french, form = ["i"], ["j'" if vowel and not negated else "je"], with_i
        does = ["do", "not", verb] if negated else [verb]
    else:
        english, french, many = noun_phrase(rng)
        form = with_many if many else with_one
        third = "has" if verb == "have" else verb + "s"
        does = ["do" if many else "does", "not", verb] if negated else [verb if many else third]
    if negated and french_thing[0] in ("un", "une", "des"):
        french_thing[0] = "de"
    said = ["n'" if vowel else "ne", form, "pas"] if negated else [form]
    return [*english, *does, *thing], [*french, *said, *french_thing]


def vocabulary(sentences) -> list[str]:
    return ["<pad>", "<start>", "<end>", *sorted({word for words in sentences for word in words})]


def numbers(sentences, words: list[str]) -> np.ndarray:
    """Numbers of words, with START before and END behind, PAD where a sentence has ended."""
    where = {word: i for i, word in enumerate(words)}
    rows = np.full([len(sentences), max(map(len, sentences)) + 2], PAD, "int64")
    for row, sentence in zip(rows, sentences, strict=True):
        row[: len(sentence) + 2] = [START, *(where[word] for word in sentence), END]
    return rows


def text(row, words: list[str]) -> str:
    """The words of a row up to END."""
    row = list(row)
    return " ".join(words[i] for i in row[: row.index(END) if END in row else None]).replace("' ", "'")


class AttentionCell(nn.Layer):
    """A GRU cell that looks at the English words before it says a French one. Its output is fit for `judge`."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(width, width)
        self.query = nn.Linear(width, width, bias_attr=False)
        self.join = nn.Linear(2 * width, width)

    def forward(self, inputs, states, memory, hidden):
        """inputs [rows, width], memory [rows, words, width], hidden [rows, words]: 0 at words, else very negative."""
        out, states = self.cell(inputs, states)
        weights = F.softmax(paddle.matmul(memory, self.query(out).unsqueeze(-1)).squeeze(-1) + hidden)
        context = paddle.matmul(weights.unsqueeze(1), memory).squeeze(1)
        return paddle.tanh(self.join(paddle.concat([out, context], -1))), states


class Translator(nn.Layer):
    def __init__(self, english: int, french: int, width: int = 64, beams: int = 4, most: int = 16) -> None:
        super().__init__()
        self.english = nn.Embedding(english, width)
        self.french = nn.Embedding(french, width)
        self.encoder = nn.GRU(width, width // 2, direction="bidirect")
        self.cell = AttentionCell(width)
        self.teach = nn.RNN(self.cell)
        self.judge = nn.Linear(width, french)
        self.beams, self.most = beams, most

    def encode(self, words):
        """What the decoder looks at: memory [batch, words, width], what hides the padding, and its first state."""
        there = words != PAD
        memory, last = self.encoder(self.english(words), sequence_length=there.astype("int64").sum(1))
        hidden = (there.astype("float32") - 1.0) * 1e9
        return memory, hidden, paddle.concat([last[0], last[1]], -1)

    def forward(self, words, so_far):
        """Scores of the next French word after each of ``so_far`` [batch, steps]: [batch, steps, words]."""
        memory, hidden, state = self.encode(words)
        out, _ = self.teach(self.french(so_far), state, memory=memory, hidden=hidden)
        return self.judge(out)

    def translate(self, words):
        """The best translations: [batch, steps, beams], the best one first."""
        memory, hidden, state = self.encode(words)
        decoder = nn.BeamSearchDecoder(self.cell, START, END, self.beams, embedding_fn=self.french, output_fn=self.judge)
        memory = decoder.tile_beam_merge_with_batch(memory, self.beams)
        hidden = decoder.tile_beam_merge_with_batch(hidden, self.beams)
        found, _ = nn.dynamic_decode(decoder, state, max_step_num=self.most, memory=memory, hidden=hidden)
        return found


def train(net, english, french, steps: int, batch: int = 32, rate: float = 0.004) -> list[float]:
    """The losses of ``steps`` steps."""
    step_size = paddle.optimizer.lr.CosineAnnealingDecay(rate, T_max=steps)
    optimizer = paddle.optimizer.Adam(step_size, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))
    order = np.random.RandomState(0)
    losses = []
    for _ in range(steps):
        chosen = order.randint(0, len(english), batch)
        source, target = paddle.to_tensor(english[chosen]), paddle.to_tensor(french[chosen])
        scores = net(source, target[:, :-1])
        loss = F.cross_entropy(scores, target[:, 1:], ignore_index=PAD)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        step_size.step()
        losses.append(float(loss))
    return losses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=500, help="batches of 32 sentences to learn from (default 500)")
    parser.add_argument("--output", type=Path, default=Path("out/translation"), help="directory to write to")
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    pairs = {" ".join(english): french for english, french in (sentence(rng) for _ in range(6000))}  # each once
    english, french = [text.split() for text in pairs], list(pairs.values())
    words, mots = vocabulary(english), vocabulary(french)
    x, y = numbers(english, words), numbers(french, mots)
    held = 300
    print(f"{len(x) - held} sentences to learn from, {held} others to be tested with; {len(words)} words become {len(mots)}")

    paddle.seed(0)
    net = Translator(len(words), len(mots))
    net.forward = paddle.jit.to_static(net.forward)
    losses = train(net, x[held:], y[held:], args.steps)
    print(f"loss {losses[0]:.3f} -> {np.mean(losses[-10:]):.3f} in {args.steps} steps")

    net.eval()
    net.translate = paddle.jit.to_static(net.translate, input_spec=[InputSpec([None, None], "int64", "words")])
    with paddle.no_grad():
        found = net.translate(paddle.to_tensor(x[:held])).numpy()
    right = np.mean([text(found[i, :, 0], mots) == text(y[i, 1:], mots) for i in range(held)])
    among = np.mean([text(y[i, 1:], mots) in [text(beam, mots) for beam in found[i].T] for i in range(held)])
    print(f"{right:.1%} of the sentences are translated without a mistake, {among:.1%} within the {net.beams} best ones\n")
    for i in range(6):
        print(f"{text(x[i, 1:], words)}\n    " + "\n    ".join(text(beam, mots) for beam in found[i].T[:2]))

    prefix = str(args.output / "translate")
    paddle.jit.save(net.translate, prefix)
    loaded = paddle.jit.load(prefix)
    same = True
    for i in range(20):  # one by one, without padding
        alone = loaded(paddle.to_tensor(x[i : i + 1, : np.count_nonzero(x[i])]))[0, :, 0].numpy()
        same = same and text(alone, mots) == text(found[i, :, 0], mots)
    print(f"\nsaved {prefix}.pdmodel; loaded, it translates the same, one sentence at a time: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
