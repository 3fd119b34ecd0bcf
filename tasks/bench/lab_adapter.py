#!/usr/bin/env python3
"""The lab's reference adapter (Part 8), driven over stdin and stdout, to measure
against: PyTorch, float32, eager attention, two threads, generate().

usage: python3 tasks/bench/lab_adapter.py MODEL_DIRECTORY
needs: torch, transformers (any recent release; both versions are reported)

Out, first:  {"ready_ms", "torch", "transformers", "peak_bytes"}
In, a line:  {"ids": [..], "new_tokens": n, "exactly": true|false}
             or {"messages": [{"role", "content"}..], "new_tokens": n}
Out, a line: {"ms", "input_tokens", "output_ids", "text", "peak_bytes"}

"exactly" generates n tokens whatever they are; otherwise an end token stops.
The weights are read from a local folder alone; nothing is fetched.
"""
import json
import os
import resource
import sys
import time

if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
    print(
        "MODEL_DIRECTORY is a folder, and the one argument.\n"
        "usage: python3 tasks/bench/lab_adapter.py MODEL_DIRECTORY",
        file=sys.stderr,
    )
    sys.exit(2)

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

started = time.perf_counter()

import torch  # noqa: E402
import transformers  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig  # noqa: E402

torch.set_num_threads(2)
torch.set_num_interop_threads(1)
torch.manual_seed(0)
transformers.logging.set_verbosity_error()

END = [151645, 151643]


def answer(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def load(directory):
    tokenizer = AutoTokenizer.from_pretrained(
        directory, local_files_only=True, trust_remote_code=False
    )
    model = AutoModelForCausalLM.from_pretrained(
        directory,
        local_files_only=True,
        trust_remote_code=False,
        use_safetensors=True,
        dtype=torch.float32,
        attn_implementation="eager",
    )
    return tokenizer, model.to("cpu").eval()


def generation(new_tokens, exactly):
    return GenerationConfig(
        do_sample=False,
        num_beams=1,
        num_return_sequences=1,
        max_new_tokens=new_tokens,
        min_new_tokens=new_tokens if exactly else None,
        repetition_penalty=1.0,
        use_cache=True,
        bos_token_id=151643,
        pad_token_id=151643,
        eos_token_id=END,
    )


def propose(tokenizer, model, asked):
    began = time.perf_counter()
    if "messages" in asked:
        inputs = tokenizer.apply_chat_template(
            asked["messages"],
            tokenize=True,
            add_generation_prompt=True,
            return_dict=True,
            return_tensors="pt",
        )
    else:
        ids = torch.tensor([asked["ids"]])
        inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    length = inputs["input_ids"].shape[1]
    config = generation(asked["new_tokens"], asked.get("exactly", False))
    with torch.inference_mode():
        output = model.generate(**inputs, generation_config=config)
    raw_ids = output[0, length:].tolist()
    ids = raw_ids[:-1] if raw_ids and raw_ids[-1] in END else raw_ids
    text = tokenizer.decode(
        ids, skip_special_tokens=False, clean_up_tokenization_spaces=False
    )
    return {
        "ms": (time.perf_counter() - began) * 1000,
        "input_tokens": length,
        "output_ids": raw_ids,
        "text": text,
        "peak_bytes": peak_bytes(),
    }


def main():
    tokenizer, model = load(sys.argv[1])
    answer({
        "ready_ms": (time.perf_counter() - started) * 1000,
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "peak_bytes": peak_bytes(),
    })
    for line in sys.stdin:
        answer(propose(tokenizer, model, json.loads(line)))


main()
