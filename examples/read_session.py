"""Reads retcon's sessions. Written from docs/format.md alone; session_context.py builds the context.

`read_session.py LOG...` prints a line of JSON for each: head, path, context, prompts, labels, undo and redo depth.
"""
import json, math, os, re, sys
from session_context import context, words

ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
ROLES = ["user", "assistant", "tool", "system"]
ORIGINS = "prompt|steer|command|shell|skill|injection|notification|hook|retry|task|agent|tool|summary|note|interrupt|unknown"
NOT_ENTRIES = ["session", "operation", "snapshot", "label", "config"]
FIELDS = dict(line.split(" ", 1) for line in """session reads:number writes:number cwd:text made:object from?:from
message parent:idOrNull role:text origin:text content:list answer?:text
checkpoint parent:idOrNull n:number leaves?:leaves
note parent:idOrNull text:text facts:texts left:idOrNull discards:number prompts?:texts
compaction parent:idOrNull summary:text prompts:texts keepFrom:idOrNull cause:text as?:messages
state parent:idOrNull key:text value:any
merge parent:idOrNull from:id text:text
operation kind:text by:text head:head undoes?:id prompt?:id takes?:id
snapshot snapshot:text entry:idOrNull when:text
label entry:id name:text
config key:text value:any""".split("\n"))
IS = {"any": lambda v: True, "text": lambda v: isinstance(v, str), "object": lambda v: isinstance(v, dict), "list": lambda v: isinstance(v, list),
      "number": lambda v: type(v) in (int, float) and math.isfinite(v), "texts": lambda v: IS["list"](v) and all(map(IS["text"], v)),
      "id": lambda v: IS["text"](v) and re.fullmatch(ID, v) is not None, "idOrNull": lambda v: v is None or IS["id"](v),
      "from": lambda v: fits(v, "session:id entry:idOrNull"), "head": lambda v: fits(v, "from:idOrNull to:idOrNull"),
      "leaves": lambda v: IS["list"](v) and all(fits(each, "n:number tokens:number") for each in v),
      "messages": lambda v: IS["list"](v) and all(fits(each, "role:text content:list") and each["role"] in ROLES for each in v)}
PARENT = f'"parent":(?:null|"{ID}")'
BEGINNING = re.compile(
    rf'{{"id":"{ID}","type":"(?:(?:session|snapshot|label|config)"|(?:checkpoint|note|compaction|merge)",{PARENT}'
    rf'|message",{PARENT},"role":"(?:{"|".join(ROLES)})","origin":"(?:{ORIGINS})"(?:,"turn":true|(?<!"command"))'
    rf'|state",{PARENT},"at":"[^"\\]*","key":"[^"\\]*")')

def fits(value, fields):
    named = [(name.rstrip("?"), name[-1] == "?", kind) for name, kind in (field.split(":") for field in fields.split())]
    return isinstance(value, dict) and all(IS[kind](value[name]) if name in value else optional for name, optional, kind in named)

def whole(line):  # the record on a line, or None
    try: record = json.loads(line, parse_constant=int)
    except (ValueError, RecursionError): return None
    if not fits(record, "id:id type:text at:text after?:idOrNull"): return None
    newer = record["type"] == "message" and IS["text"](record.get("role")) and record["role"] not in ROLES
    return record if fits(record, FIELDS.get("" if newer else record["type"], "parent?:idOrNull")) else None

def lines_of(data):  # for each line what gives it its place in the tree, and its content (None if unreadable)
    *lines, tail = [line.decode("utf-8", "replace") if len(line) <= 64 << 20 else "too long" for line in data.split(b"\n")]
    for i, line in enumerate(lines):
        line = line[:-1] if line.endswith("\r") else line
        record, begun = whole(line), BEGINNING.match(line) if line.endswith("}") and len(line.encode()) >= 60 else None
        first = json.loads(begun[0] + "}") if begun and lines[i + 1:i + 2] != [""] else record
        yield first, record if record and all(record.get(name) == value for name, value in first.items()) else None
    if whole(tail): yield whole(tail), whole(tail)

def replay(data):
    empty = state = (None, None, None, False)  # head, done, undone, whether the last unit may continue
    states, entries, seen, labels = [], {}, set(), {}
    def standing(at):
        if at == state[0]: return state
        return next((each for each in states[:-65:-1] if each[0] == at), entries[at]["state"] if at else empty)
    for first, record in lines_of(data):
        id, kind = (first["id"], first["type"]) if first and first["id"] not in seen else (None, None)
        seen.add(id)
        if id and kind not in NOT_ENTRIES and "parent" in first:
            up = first["parent"] if first["parent"] in entries else None
            prompt = first.get("role") == "user" and (first["origin"] == "prompt" or first["origin"] == "command" and first.get("turn") is True)
            rounds = (entries[up]["rounds"] if up else 0) + (kind == "message" and prompt)
            if kind not in ("note", "compaction"):
                head, done, _, goes_on = standing(up) if up == first["parent"] else state
                joins = goes_on and done and up == head and (not prompt or rounds == 1)
                state = (id, done if joins else (id, done), None, True)
            entries[id] = {"line": len(states), "first": first, "record": record or {}, "up": up, "prompt": prompt, "rounds": rounds, "state": state}
        elif kind == "operation" and record.get("takes") in entries:
            line = entries[record["takes"]]["line"]
            state = states[line - 1] if line else empty
        elif kind == "operation" and (record["head"]["to"] is None or record["head"]["to"] in entries):
            came, to, move, undoes = record["head"]["from"], record["head"]["to"], record["kind"], record.get("undoes")
            _, done, undone, _ = standing(came) if came is None or came in entries else state
            if move == "undo" and done and done[0] == undoes: state = (to, done[1], (id, done, undone), False)
            elif move == "redo" and undone and undone[0] == undoes: state = (to, undone[1], undone[2], False)
            else: state = (to, (id, done), None, move == "backtrack")
        elif kind == "label" and record:  # A name belongs to the entry that got it last.
            labels = {entry: name for entry, name in labels.items() if name != record["name"]}
            labels[record["entry"]] = record["name"]
        states.append(state)
    return state, entries, {entry: name for entry, name in labels.items() if name}

def depth(stack, below):
    count = 0
    while stack: stack, count = stack[below], count + 1
    return count

def read(file):
    with open(file, "rb") as log: (head, done, undone, _), entries, labels = replay(log.read())
    path, at = [], head
    while at: path, at = [at, *path], entries[at]["up"]
    entries, folder = [entries[id] for id in path], os.path.dirname(file)
    prompts = [{"id": entry["first"]["id"], "text": words(entry["record"], folder)} for entry in entries if entry["prompt"]]
    return {"head": head, "path": path, "context": context(entries, folder), "prompts": prompts, "labels": labels,
            "undo": depth(done, 1), "redo": depth(undone, 2)}

if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit("Which log? Name one or more: read_session.py LOG...")
    for file in sys.argv[1:]:
        try: print(json.dumps(read(file)))
        except OSError as error: sys.exit(f"{file} cannot be read: {error.strerror}. A log is a .jsonl file below sessions/ in retcon's home.")
