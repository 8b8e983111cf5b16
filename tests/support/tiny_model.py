"""Llama models that real servers load in well under a second. The same bytes each time."""

import sys
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

CONTEXT = 4096
_SPECIAL = ("<unk>", "<s>", "</s>")
_WORDS = 512 - len(_SPECIAL) - 256


@dataclass(frozen=True)
class Shape:
    """The size of a model: `feed` is the width of the feed-forward layers."""

    width: int
    heads: int
    layers: int
    feed: int


#: 0.6 MB; a token takes 0.03 ms, which no clock can tell from nothing.
TINY = Shape(width=64, heads=4, layers=2, feed=128)
#: 21 MB; a token takes some 0.4 ms on one core, an answer of 256 tokens about a tenth of a second.
SMALL = Shape(width=256, heads=4, layers=6, feed=768)


def vocabulary() -> tuple[list[bytes], list[int]]:
    """Tokens and their types: three special ones, 256 bytes, then words that begin with a blank."""
    tokens = [name.encode() for name in _SPECIAL]
    tokens += [f"<0x{byte:02X}>".encode() for byte in range(256)]
    tokens += [f"\u2581w{number:03d}".encode() for number in range(_WORDS)]
    types = [int(gguf.TokenType.UNKNOWN)] + [int(gguf.TokenType.CONTROL)] * 2
    types += [int(gguf.TokenType.BYTE)] * 256 + [int(gguf.TokenType.NORMAL)] * _WORDS
    return tokens, types


def make_tiny_model(path: Path, *, seed: int = 7, shape: Shape = TINY) -> Path:
    """Write the model to `path`.

    The output rows of special and byte tokens are zero, so that a greedy answer is always words: broken UTF-8
    makes b9601 answer with HTTP 500.
    """
    tokens, types = vocabulary()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(shape.width // shape.heads)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(types)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for name, data in _tensors(len(tokens), shape, np.random.default_rng(seed)).items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(vocab: int, shape: Shape, random: np.random.Generator) -> dict[str, np.ndarray]:
    def matrix(rows: int, columns: int) -> np.ndarray:
        return random.standard_normal((rows, columns)).astype(np.float32) * 0.2

    width, feed = shape.width, shape.feed
    output = matrix(vocab, width)
    output[: len(_SPECIAL) + 256] = 0.0
    tensors = {"token_embd.weight": matrix(vocab, width), "output.weight": output}
    tensors["output_norm.weight"] = np.ones(width, dtype=np.float32)
    for layer in range(shape.layers):
        block = f"blk.{layer}"
        for name in ("attn_norm", "ffn_norm"):
            tensors[f"{block}.{name}.weight"] = np.ones(width, dtype=np.float32)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensors[f"{block}.{name}.weight"] = matrix(width, width)
        tensors[f"{block}.ffn_gate.weight"] = matrix(feed, width)
        tensors[f"{block}.ffn_up.weight"] = matrix(feed, width)
        tensors[f"{block}.ffn_down.weight"] = matrix(width, feed)
    return tensors


if __name__ == "__main__":
    make_tiny_model(Path(sys.argv[1]))
