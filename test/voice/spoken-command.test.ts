import { describe, expect, it } from "vitest"
import { spokenCommand } from "../../src/voice/spoken.ts"

describe("a phrase that is a command and nothing else is one", () => {
  it.each([
    ["Go back.", { do: "go_back", rounds: 1 }],
    ["okay, go back please", { do: "go_back", rounds: 1 }],
    ["Undo that!", { do: "go_back", rounds: 1 }],
    ["go back two rounds", { do: "go_back", rounds: 2 }],
    ["go back 12 steps", { do: "go_back", rounds: 12 }],
    ["go three rounds back", { do: "go_back", rounds: 3 }],
    ["step back a round", { do: "go_back", rounds: 1 }],
    ["Redo", { do: "redo" }],
    ["go forward", { do: "redo" }],
    ["Stop!", { do: "stop" }],
    ["hey, cancel that", { do: "stop" }],
    ["Zurück!", { do: "go_back", rounds: 1 }],
    ["Mach das rückgängig, bitte.", { do: "go_back", rounds: 1 }],
    ["Wiederherstellen", { do: "redo" }],
    ["Halt!", { do: "stop" }],
    ["Reviens en arrière, s'il te plaît.", { do: "go_back", rounds: 1 }],
    ["Rétablir", { do: "redo" }],
    ["Arre\u0302te !", { do: "stop" }],
    ["¡Vuelve atrás!", { do: "go_back", rounds: 1 }],
    ["Rehacer, por favor", { do: "redo" }],
    ["¡Para!", { do: "stop" }],
  ])("%s", (said, action) => {
    expect(spokenCommand(said, false)).toEqual(action)
  })
})

describe("everything else is a prompt, word for word", () => {
  it.each([
    "go back to using tabs in the parser",
    "rewind the tape in the test fixture",
    "stop logging the token",
    "undo the change to config.ts",
    "go ahead",
    "Back up the database first.",
    "please redo the layout of the page",
    "geh zurück zu Tabulatoren im Parser",
    "arrête d'écrire le jeton dans le journal",
    "adelante",
    "para cada archivo, añade una prueba",
    "",
  ])("%s", (said) => {
    expect(spokenCommand(said, false)).toEqual({ do: "converse", text: said })
  })
})

describe("yes and no", () => {
  it.each([
    ["Yes.", true],
    ["approve it", true],
    ["No", false],
    ["Ja.", true],
    ["Nein", false],
    ["Oui !", true],
    ["Non", false],
    ["¡Sí!", true],
    ["No lo permitas", false],
    ["don't allow it", false],
  ])("%s answers a question that waits", (said, yes) => {
    expect(spokenCommand(said, true)).toEqual({ do: "approve", yes })
  })

  it("are prompts when nothing waits", () => {
    expect(spokenCommand("Yes.", false)).toEqual({ do: "converse", text: "Yes." })
  })
})
