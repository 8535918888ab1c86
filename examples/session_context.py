"""What a model gets at a head: the section "The context" of docs/format.md."""
import math
from session_parts import filled, inert, kind, shown, without

COMPACTED = "<system>Previous context has been compacted. Here is the compaction output:</system>"
ASKED = "<system>What the user asked before, word for word, oldest first:</system>"
SAID = "<system>What the user said after this point, word for word, oldest first:</system>"
WENT_BACK = "You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it"
OTHER_WAY = "Another way was taken from here. Summary of what was left, as the model wrote it"
INTERRUPTED = "This tool call was interrupted before it ended. It may have had effects."

def words(record, folder):
    """The text of a message that a person reads."""
    parts = [filled(part, folder) for part in record.get("content", [])]
    return record.get("display", "\n".join(part["text"] for part in parts if kind(part) == "text"))

def marks(record):
    """The texts that an entry attaches."""
    if record.get("type") == "merge": return [f"<system>From another branch: {record['text']}</system>"]
    if record.get("type") == "checkpoint":
        tokens = lambda leaf: f"{max(1, math.floor(leaf['tokens'] / 1000 + 0.5))},000"
        leaves = "; ".join(f"checkpoint {leaf['n']}: about {tokens(leaf)} tokens" for leaf in record.get("leaves", []))
        more = f". What going back with Backtrack would leave behind: {leaves}." if leaves else ""
        return [f"<system>Checkpoint {record['n']}{more}</system>"]
    if record.get("type") != "note": return []
    text = inert(record["text"], "system|instructions|note")
    note = f"<system>{WENT_BACK if 'checkpoint' in record else OTHER_WAY}.</system>\n<note>\n{text}\n</note>"
    facts = "".join(f"\n- {fact}" for fact in record["facts"])
    prompts = [SAID, *record["prompts"]] if record.get("prompts") else []
    return [note, *([f"<system>Still true, from retcon's own records:{facts}</system>"] if facts else []), *prompts]

def message(role, *texts): return {"role": role, "content": [{"type": "text", "text": text} for text in texts]}

def context(path, folder):
    last = lambda test: max((i for i, entry in enumerate(path) if test(entry["first"])), default=-1)
    system = last(lambda first: first["type"] == "state" and first["key"] == "system")
    compaction = last(lambda first: first["type"] == "compaction")
    beginning, summary = [path[i]["record"] if i >= 0 else {} for i in (system, compaction)]
    sent_with = beginning.get("with") if isinstance(beginning.get("with"), dict) else {}
    messages = [message("system", beginning["value"])] if isinstance(beginning.get("value"), str) else []
    tail = []
    if summary:
        own = [message("user", COMPACTED, summary["summary"], *([ASKED, *summary["prompts"]] if summary["prompts"] else []))]
        messages += [{"role": each["role"], "content": [*each["content"]]} for each in summary.get("as", own)]
        ids = [entry["first"]["id"] for entry in path[:compaction]]
        tail = range(ids.index(summary["keepFrom"]), compaction) if summary["keepFrom"] in ids else []
    values = [each["record"].get("value") for each in path[min(tail, default=max(compaction, 0)):] if each["first"].get("key") == "left-out"]
    left = {value["entry"]: value.get("content" if isinstance(value.get("content"), list) else "parts") for value in values if isinstance(value, dict) and isinstance(value.get("entry"), str)}
    answer, pieces, results = None, None, None
    for i in [*tail, *range(compaction + 1, len(path))]:
        record, bound = path[i]["record"], i > compaction and (i > system or not beginning)
        if record.get("type") == "message" and record["role"] in ("user", "assistant", "tool", "system"):
            parts = [filled(part, folder) for part in record["content"]]
            if record["id"] in left: parts = without(parts, left[record["id"]])
            if record.get("dropped") is True: parts = []
            content = [each for part in parts for each in shown(part, record["origin"], bound or record["role"] != "assistant")]
            if content and record["role"] == "assistant" and answer is not None and record.get("answer") == answer:
                pieces["content"] += content
            elif content and record["role"] == "tool" and answer is not None:
                if results is None: results = {"role": "tool", "content": []}; messages.append(results)
                results["content"] += content
                if record.get("answer") == answer: in_order_of_calls(results["content"], pieces["content"])
            elif content:
                messages.append({"role": record["role"], "content": content})
                answer, pieces, results = record.get("answer") if record["role"] == "assistant" else None, messages[-1], None
        elif record.get("type") != "checkpoint" or i > compaction and sent_with.get("checkpoints") is True:
            for text in marks(record):
                if messages and messages[-1]["role"] in ("user", "tool"): messages[-1]["content"] += message("user", text)["content"]
                else:
                    messages.append(message("user", text))
                    answer, results = None, None
    return settled(messages)

def in_order_of_calls(content, calls):
    """Sorts the results among the parts; other parts stay where they are."""
    place = {part["call"]: n for n, part in enumerate(calls) if kind(part) == "tool-call"}
    results = iter(sorted((part for part in content if kind(part) == "tool-result"), key=lambda part: place.get(part["call"], len(calls))))
    content[:] = [next(results) if kind(part) == "tool-result" else part for part in content]

def settled(messages):
    """Gives every call a result, and every result a call."""
    done, calls = [], []
    def close():
        result = lambda call: {"type": "tool-result", "call": call["call"], "name": call["name"], "output": INTERRUPTED, "error": True}
        if calls: done.append({"role": "tool", "content": [result(call) for call in calls]})
        calls.clear()
    for role, content in [(each["role"], each["content"]) for each in messages]:
        if role == "tool":
            open_calls, parts, content, role = {call["call"] for call in calls}, content, [], "user"
            for part in parts:
                if kind(part) != "tool-result": content.append(part)
                elif part["call"] in open_calls:
                    open_calls.remove(part["call"])
                    content.append(part)
                    role = "tool"
            calls = [call for call in calls if call["call"] in open_calls]
        if role != "tool" and content: close()
        if content: done.append({"role": role, "content": content})
        if role == "assistant": calls = [part for part in content if kind(part) == "tool-call"]
    close()
    return done
