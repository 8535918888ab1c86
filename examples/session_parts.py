"""Parts of messages as in a context: parts, blobs, tags and what was left out, as docs/format.md says."""
import hashlib, os, re, unicodedata

PARTS = {  # the fields of each type; the first one may be in a blob
    "text": ["text"], "reasoning": ["text"], "image": ["data", "mediaType"], "file": ["data", "mediaType"],
    "tool-call": ["name", "call"], "tool-result": ["output", "call"],
}
UNSEEN = "\t-\r\u2028\u2029" + "".join(chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) in ("Zs", "Cf"))
LEFT = "[left out, because the provider refused it]"

def kind(part):
    """The type of a part, or None for one that is passed on unchanged."""
    if not isinstance(part, dict) or str(part.get("type")) not in PARTS: return None
    if part["type"] == "tool-call" and "input" not in part or not isinstance(part.get("media", []), list): return None
    if not all(isinstance(part.get(field, {}), dict) for field in ("meta", "blob")): return None
    there = {**part, **({part["blob"]["field"]: ""} if isinstance(part.get("blob", {}).get("field"), str) else {})}
    return part["type"] if all(isinstance(there.get(field), str) for field in PARTS[part["type"]]) else None

def filled(part, folder):
    """The part with its blobs read back."""
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

def inert(text, tags="system|instructions"):
    return re.sub(rf"<(\\*)((?:[{UNSEEN}]*/)?[{UNSEEN}]*(?:{tags})(?![0-9A-Za-z_]))", r"<\1\\\2", text, flags=re.I)

def shown(part, origin, bound):
    """The part as in a context, in a list that is empty if it is left out."""
    if kind(part) is None: return [part]
    if not bound and part["type"] == "reasoning": return [part] if "meta" in part and "data" not in part["meta"] else []
    if not bound and "meta" in part:
        part = {name: value for name, value in part.items() if name != "meta"}
        if part["type"] == "text" and part["text"] == "": return []
    if part["type"] == "tool-result": return [{**part, "output": inert(part["output"])}]
    if part["type"] != "text" or origin != "shell" or "text" not in part: return [part]
    mark = re.match(r"(<system>[^<]*</system>\n)?", part["text"])[0]
    return [{**part, "text": mark + inert(part["text"][len(mark):])}]

def without(parts, what):
    """What a model sees of a message whose media, or all of it, were left out, or that other parts replaced."""
    if not isinstance(what, list): return [refused(part, what) for part in parts]
    result = next((part for part in parts if kind(part) == "tool-result"), None)
    if result is None: return what
    output, media = "\n".join(each["text"] for each in what if kind(each) == "text" and "text" in each), [each for each in what if kind(each) != "text"]
    return [{**{name: value for name, value in result.items() if name != "media"}, "output": output, **({"media": media} if media else {})}]

def refused(part, what):
    if kind(part) in ("image", "file") or kind(part) == "text" and what == "all": return {"type": "text", "text": LEFT}
    if kind(part) != "tool-result": return part
    rest = {name: value for name, value in part.items() if name != "media"}
    return {**rest, "output": LEFT if what == "all" else part["output"] + (f"\n{LEFT}" if part.get("media") else "")}
