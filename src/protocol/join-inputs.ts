// Placeholders of images in what a person types, and several inputs as one.
import type { Part } from "../model/record/record.ts"
import type { PromptInput } from "./host.ts"

const IMAGE = /\[image #(\d+)[^\]\n]*\]/g

export interface Image {
  number: number
  part: Part
}

/** The placeholder of an image. */
export function imageMark(number: number, name: string): string {
  return `[image #${number} ${name.replace(/[^\w.-]+/g, "-").slice(0, 40)}]`
}

/** The images whose placeholders are still in the text, in order. */
export function imagesIn(text: string, images: readonly Image[]): Part[] {
  return [...text.matchAll(IMAGE)].flatMap(([, number]) => {
    const found = images.find((image) => image.number === Number(number))
    return found === undefined ? [] : [found.part]
  })
}

/** The images of a message that comes back, by the numbers of their placeholders. */
export function imagesOf(input: PromptInput): Image[] {
  const marks = [...(input.display ?? input.text).matchAll(IMAGE)]
  return (input.media ?? []).flatMap((part, i) => {
    const number = marks[i]?.[1]
    return number === undefined ? [] : [{ number: Number(number), part }]
  })
}

/** Several messages as one, each on its own lines: placeholders stay, and images are renumbered. */
export function joinInputs(inputs: readonly PromptInput[]): PromptInput {
  const media: Part[] = []
  const unmarked: Part[] = []
  const texts: string[] = []
  const shown: string[] = []
  for (const input of inputs) {
    const own = imagesOf(input)
    const numbers = new Map(own.map(({ number }, i) => [number, media.length + i + 1]))
    const counted = (text: string) =>
      text.replace(IMAGE, (mark, number: string) => {
        const next = numbers.get(Number(number))
        return next === undefined ? mark : mark.replace(`#${number}`, `#${next}`)
      })
    media.push(...own.map(({ part }) => part))
    unmarked.push(...(input.media ?? []).filter((part) => !own.some((image) => image.part === part)))
    texts.push(counted(input.text))
    shown.push(counted(input.display ?? input.text))
  }
  const [text, display, all] = [texts.join("\n"), shown.join("\n"), [...media, ...unmarked]]
  return { text, ...(display === text ? {} : { display }), ...(all.length === 0 ? {} : { media: all }) }
}
