#!/usr/bin/env python3
"""Trains the player: a tiny Qwen2 network that answers the requests of a scripted
baseline with the baseline's proposals, and knows nothing else. Why, and what comes
before and after: tasks/player/train_player.md.

usage: python3 tasks/player/train_player.py SCRIPT TRAINED [--seed N] [--steps N]
       [--margin X]
needs: torch, transformers (with tokenizers and safetensors), jinja2

SCRIPT is the folder that tasks/player/player_script.ts wrote. TRAINED becomes a checkpoint
that tasks/player/pack_player.ts packs. Exits with 1 unless Transformers' own greedy
generate() then gives every reply, exactly, from what was written.
"""
import argparse
import json
import math
import os
import shutil
import sys
from dataclasses import dataclass

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"


def whole(text):
    """A whole number from 1 on."""
    if int(text) < 1:
        raise ValueError
    return int(text)


def read_options():
    """What was typed; ends the program with 2 where it is wrong."""
    parser = argparse.ArgumentParser(prog="python3 tasks/player/train_player.py")
    parser.add_argument("script", metavar="SCRIPT")
    parser.add_argument("trained", metavar="TRAINED")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--steps", type=whole, default=2_000, metavar="N")
    parser.add_argument("--margin", type=float, default=6.0, metavar="X")
    options = parser.parse_args()
    for name in ("script.json", "tokenizer.json", "tokenizer_config.json"):
        if not os.path.isfile(f"{options.script}/{name}"):
            parser.error(f"SCRIPT has no {name}: player_script.ts writes it")
    return options


# Before the packages below, which may be missing and take seconds to load.
OPTIONS = read_options()

import torch  # noqa: E402
import transformers  # noqa: E402
from safetensors.torch import save_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from torch.func import functional_call  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from transformers import (  # noqa: E402
    GenerationConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen2Model,
)

END, OTHER_END = "<|im_end|>", "<|endoftext|>"
EMBEDDING = "embed_tokens.weight"
LEARNING_RATE = 4e-3
WARM_UP_STEPS = 30
SHAPE = {
    "hidden_act": "silu",
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 32_768,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1e6,
    "tie_word_embeddings": True,
    "attention_dropout": 0.0,
    "use_sliding_window": False,
}


@dataclass(frozen=True)
class Example:
    """One call: the request's token ids, and the reply's with the end token."""

    prompt: list[int]
    reply: list[int]


@dataclass(frozen=True)
class Lesson:
    """An example over the rows that are trained, ready for a forward pass."""

    rows: torch.Tensor
    """Rows of prompt and reply, all but the last: nothing follows that one."""
    begin: int
    """Position from which on the next row is the reply's."""
    targets: torch.Tensor


def read_examples(folder, tokenizer):
    """The script's calls as token ids."""
    with open(f"{folder}/tokenizer_config.json", encoding="utf-8") as file:
        template = json.load(file)["chat_template"]
    with open(f"{folder}/script.json", encoding="utf-8") as file:
        calls = json.load(file)
    renderer = PreTrainedTokenizerFast(tokenizer_object=tokenizer)

    def ids(text):
        return tokenizer.encode(text, add_special_tokens=False).ids

    examples = []
    for call in calls:
        request = renderer.apply_chat_template(
            call["messages"],
            chat_template=template,
            tokenize=False,
            add_generation_prompt=True,
        )
        if tokenizer.decode(ids(call["reply"])) != call["reply"]:
            sys.exit(f"The tokenizer doesn't keep the reply {call['reply']!r}")
        examples.append(Example(ids(request), ids(call["reply"] + END)))
    return examples


def make_lessons(examples, row_of):
    """The examples in terms of the trained rows."""
    lessons = []
    for prompt, reply in ((one.prompt, one.reply) for one in examples):
        rows = torch.tensor([row_of[token] for token in prompt + reply])
        begin = len(prompt)
        lessons.append(Lesson(rows[None, :-1], begin - 1, rows[begin:]))
    return lessons


def fresh_network(rows):
    """A network without a head of its own: the embedding is the head, too."""
    network = Qwen2Model(Qwen2Config(vocab_size=rows, **SHAPE)).float().train()
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if name.endswith("norm.weight"):
                weight.fill_(1)
            elif name.endswith("bias"):
                weight.zero_()
            elif name == EMBEDDING:
                weight.normal_(0, 0.12)
            else:
                weight.normal_(0, 1 / math.sqrt(weight.shape[1]))
    return network


def rounded(network):
    """The weights as BF16 keeps them; a gradient passes as if they weren't."""
    return {
        name: weight + (weight.bfloat16().float() - weight).detach()
        for name, weight in network.named_parameters()
    }


def reply_logits(network, weights, lesson):
    """Logits of the trained rows at every token of the reply."""
    hidden = functional_call(
        network, weights, kwargs={"input_ids": lesson.rows, "use_cache": False}
    ).last_hidden_state[0, lesson.begin :]
    return hidden @ weights[EMBEDDING].T


def margin_of(logits, targets):
    """By how much the right logits lead at least. Rows that aren't trained are
    zeros in the checkpoint, and so are their logits."""
    right = logits.gather(1, targets[:, None])
    others = logits.scatter(1, targets[:, None], -math.inf).amax(1, keepdim=True)
    return float((right - others.clamp(min=0)).min())


def train(network, lessons, steps, margin):
    """Trains until every reply token leads by `margin`.

    The loss sees one logit more, which stands for all rows that aren't trained: it
    lies above their zero, so that the right logits are driven above it.
    """
    weights = dict(network.named_parameters())
    optimizer = torch.optim.AdamW(
        [
            {"params": [w for w in weights.values() if w.dim() > 1]},
            {"params": [w for w in weights.values() if w.dim() == 1],
             "weight_decay": 0.0},
        ],
        lr=LEARNING_RATE,
        betas=(0.9, 0.98),
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1, (step + 1) / WARM_UP_STEPS)
        * (0.5 + 0.5 * math.cos(math.pi * step / steps)),
    )
    tokens = sum(len(lesson.targets) for lesson in lessons)
    for step in range(steps):
        optimizer.zero_grad()
        now = rounded(network)
        loss, least = 0.0, math.inf
        for lesson in lessons:
            logits = reply_logits(network, now, lesson)
            least = min(least, margin_of(logits.detach(), lesson.targets))
            guard = torch.full((len(logits), 1), margin + 1)
            loss = loss + cross_entropy(
                torch.cat([logits, guard], 1), lesson.targets, reduction="sum"
            )
        if least >= margin:
            print(f"step {step}: every reply token leads by {least:.2f}")
            return
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item() / tokens:.4f}, margin {least:.2f}")
        (loss / tokens).backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), 1.0)
        optimizer.step()
        schedule.step()
    sys.exit(f"After {steps} steps a reply token leads by no more than {least:.2f}")


def write_checkpoint(folder, network, trained_ids, vocabulary, end_ids):
    """Writes the network, its embedding at its full size; what wasn't trained is
    zero."""
    tensors = {}
    for name, weight in network.named_parameters():
        if name == EMBEDDING:
            full = torch.zeros(vocabulary, weight.shape[1])
            full[trained_ids] = weight.detach()
            weight = full
        tensors[f"model.{name}"] = weight.detach().bfloat16().contiguous()
    save_file(tensors, f"{folder}/model.safetensors", metadata={"format": "pt"})
    end, other = end_ids
    write_json(f"{folder}/config.json", {
        **SHAPE,
        "architectures": ["Qwen2ForCausalLM"],
        "bos_token_id": other,
        "eos_token_id": end,
        "initializer_range": 0.02,
        "max_window_layers": SHAPE["num_hidden_layers"],
        "model_type": "qwen2",
        "sliding_window": SHAPE["max_position_embeddings"],
        "torch_dtype": "bfloat16",
        "use_cache": True,
        "vocab_size": vocabulary,
    })
    write_json(f"{folder}/generation_config.json", {
        "bos_token_id": other,
        "do_sample": False,
        "eos_token_id": [end, other],
        "num_beams": 1,
        "pad_token_id": other,
        "repetition_penalty": 1.0,
    })


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=2, sort_keys=True) + "\n")


def plays(folder, examples):
    """Whether the written checkpoint generates every reply; tells each margin."""
    model = Qwen2ForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    with open(f"{folder}/generation_config.json", encoding="utf-8") as file:
        settings = json.load(file)
    right = True
    for number, example in enumerate(examples, start=1):
        prompt = torch.tensor([example.prompt])
        with torch.inference_mode():
            output = model.generate(
                prompt,
                attention_mask=torch.ones_like(prompt),
                generation_config=GenerationConfig(
                    **settings,
                    max_new_tokens=len(example.reply) + 8,
                    output_logits=True,
                    return_dict_in_generate=True,
                ),
            )
        same = output.sequences[0, prompt.shape[1] :].tolist() == example.reply
        leads = [step[0].topk(2).values for step in output.logits]
        margin = min(float(first - second) for first, second in leads)
        print(
            f"reply {number}: {len(example.prompt)} tokens in, "
            f"{len(example.reply)} out, margin {margin:.2f}, "
            f"{'exact' if same else 'WRONG'}"
        )
        right = right and same
    return right


def main():
    options = OPTIONS
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    transformers.utils.logging.disable_progress_bar()

    tokenizer = Tokenizer.from_file(f"{options.script}/tokenizer.json")
    examples = read_examples(options.script, tokenizer)
    end_ids = [tokenizer.token_to_id(text) for text in (END, OTHER_END)]
    trained_ids = sorted(
        {token for one in examples for token in one.prompt + one.reply}.union(end_ids)
    )
    vocabulary = tokenizer.get_vocab_size(with_added_tokens=True)
    print(f"{len(trained_ids)} of {vocabulary} tokens occur")

    network = fresh_network(len(trained_ids))
    row_of = {token: row for row, token in enumerate(trained_ids)}
    train(network, make_lessons(examples, row_of), options.steps, options.margin)

    os.makedirs(options.trained, exist_ok=True)
    write_checkpoint(options.trained, network, trained_ids, vocabulary, end_ids)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(f"{options.script}/{name}", f"{options.trained}/{name}")
    sys.exit(0 if plays(options.trained, examples) else 1)


main()
