"""What a model gets of a session: the section "The context" of docs/format.md."""
import hashlib, math, os, re, unicodedata

PARTS = {  # the fields of each type; the first one may be in a blob
    "text": ["text"], "reasoning": ["text"], "image": ["data", "mediaType"], "file": ["data", "mediaType"],
    "tool-call": ["name", "call"], "tool-result": ["output", "call"],
}
UNSEEN = "\t-\r\u2028\u2029" + "".join(chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) in ("Zs", "Cf"))
COMPACTED = "<system>Previous context has been compacted. Here is the compaction output:</system>"
ASKED = "<system>What the user asked before, word for word, oldest first:</system>"
SAID = "<system>What the user said after this point, word for word, oldest first:</system>"
WENT_BACK = "You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it"
OTHER_WAY = "Another way was taken from here. Summary of what was left, as the model wrote it"
INTERRUPTED = "This tool call was interrupted before it ended. It may have had effects."

def kind(part):
    """The type of a part, or None for one that is handed on as it is."""
    if not isinstance(part, dict) or str(part.get("type")) not in PARTS: return None
    if part["type"] == "tool-call" and "input" not in part or not isinstance(part.get("media", []), list): return None
    if not all(isinstance(part.get(field, {}), dict) for field in ("meta", "blob")): return None
    there = {**part, **({part["blob"]["field"]: ""} if isinstance(part.get("blob", {}).get("field"), str) else {})}
    return part["type"] if all(isinstance(there.get(field), str) for field in PARTS[part["type"]]) else None

def filled(part, folder):
    """The part with what is in blobs."""
    if kind(part) is None: return part
    part = {name: [filled(each, folder) for each in value] if name == "media" else value for name, value in part.items()}
    blob, field = part.pop("blob", {}), PARTS[part["type"]][0]
    if blob.get("field") != field: return part
    if not re.fullmatch("sha256-[0-9a-f]{64}", str(blob.get("hash"))): return {**part, field: "[content not found: its name is not a hash]"}
    try:
        with open(os.path.join(folder, "blobs", blob["hash"][7:9], blob["hash"]), "rb") as file: data = file.read()
    except OSError: return {**part, field: f"[content not found: {blob['hash']}]"}
    sound = blob["hash"] == "sha256-" + hashlib.sha256(data).hexdigest()
    return {**part, field: data.decode("utf-8", "replace") if sound else f"[content damaged: {blob['hash']}]"}

def words(record, folder):
    """What a person reads of a message."""
    parts = [filled(part, folder) for part in record.get("content", [])]
    return record.get("display", "\n".join(part["text"] for part in parts if kind(part) == "text"))

def inert(text, tags="system|instructions"):
    return re.sub(rf"<(\\*)((?:[{UNSEEN}]*/)?[{UNSEEN}]*(?:{tags})(?![0-9A-Za-z_]))", r"<\1\\\2", text, flags=re.I)

def shown(part, origin, bound):
    """The part as a context has it, in a list that is empty when it is left out."""
    if kind(part) is None: return [part]
    if not bound and part["type"] == "reasoning": return [part] if "meta" in part and "data" not in part["meta"] else []
    if not bound and "meta" in part:
        part = {name: value for name, value in part.items() if name != "meta"}
        if part["type"] == "text" and part["text"] == "": return []
    if part["type"] == "tool-result": return [{**part, "output": inert(part["output"])}]
    if part["type"] != "text" or origin != "shell": return [part]
    mark = re.match(r"(<system>[^<]*</system>\n)?", part["text"])[0]
    return [{**part, "text": mark + inert(part["text"][len(mark):])}]

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
        messages.append(message("user", COMPACTED, summary["summary"], *([ASKED, *summary["prompts"]] if summary["prompts"] else [])))
        ids = [entry["first"]["id"] for entry in path[:compaction]]
        tail = range(ids.index(summary["keepFrom"]), compaction) if summary["keepFrom"] in ids else []
    for i in [*tail, *range(compaction + 1, len(path))]:
        record, bound = path[i]["record"], i > compaction and (i > system or not beginning)
        if record.get("type") == "message" and record["role"] in ("user", "assistant", "tool", "system"):
            parts = [filled(part, folder) for part in record["content"]]
            content = [each for part in parts for each in shown(part, record["origin"], bound or record["role"] != "assistant")]
            if content: messages.append({"role": record["role"], "content": content})
        elif record.get("type") != "checkpoint" or i > compaction and sent_with.get("checkpoints") is True:
            for text in marks(record):
                if messages and messages[-1]["role"] in ("user", "tool"): messages[-1]["content"] += message("user", text)["content"]
                else: messages.append(message("user", text))
    return settled(messages)

def settled(messages):
    """Every call has a result, and every result a call."""
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
