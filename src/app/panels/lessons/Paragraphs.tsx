/** A lesson's words: paragraphs are parted by empty lines. Text, and nothing but text. */
export function Paragraphs({ text }: { text: string }) {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => <p key={paragraph}>{paragraph}</p>)
}
