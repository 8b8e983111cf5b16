"""A llama model of 0.6 MB that real servers load in well under a second. The same bytes each time."""

import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, HEADS, LAYERS, FEED, CONTEXT = 64, 4, 2, 128, 4096
_SPECIAL = ("<unk>", "<s>", "</s>")
_WORDS = 512 - len(_SPECIAL) - 256


def vocabulary() -> tuple[list[bytes], list[int]]:
    """Tokens and their types: three special ones, 256 bytes, then words that begin with a blank."""
    tokens = [name.encode() for name in _SPECIAL]
    tokens += [f"<0x{byte:02X}>".encode() for byte in range(256)]
    tokens += [f"\u2581w{number:03d}".encode() for number in range(_WORDS)]
    types = [int(gguf.TokenType.UNKNOWN)] + [int(gguf.TokenType.CONTROL)] * 2
    types += [int(gguf.TokenType.BYTE)] * 256 + [int(gguf.TokenType.NORMAL)] * _WORDS
    return tokens, types


def make_tiny_model(path: Path, *, seed: int = 7, context: int = CONTEXT) -> Path:
    """Write the model to `path`.

    The output rows of special and byte tokens are zero, so that a greedy answer is always words: broken UTF-8
    makes b9601 answer with HTTP 500.
    """
    tokens, types = vocabulary()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(types)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for name, data in _tensors(len(tokens), np.random.default_rng(seed)).items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _tensors(vocab: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    def matrix(rows: int, columns: int) -> np.ndarray:
        return random.standard_normal((rows, columns)).astype(np.float32) * 0.2

    output = matrix(vocab, WIDTH)
    output[: len(_SPECIAL) + 256] = 0.0
    tensors = {"token_embd.weight": matrix(vocab, WIDTH), "output.weight": output}
    tensors["output_norm.weight"] = np.ones(WIDTH, dtype=np.float32)
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        for name in ("attn_norm", "ffn_norm"):
            tensors[f"{block}.{name}.weight"] = np.ones(WIDTH, dtype=np.float32)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensors[f"{block}.{name}.weight"] = matrix(WIDTH, WIDTH)
        tensors[f"{block}.ffn_gate.weight"] = matrix(FEED, WIDTH)
        tensors[f"{block}.ffn_up.weight"] = matrix(FEED, WIDTH)
        tensors[f"{block}.ffn_down.weight"] = matrix(WIDTH, FEED)
    return tensors


if __name__ == "__main__":
    make_tiny_model(Path(sys.argv[1]))
