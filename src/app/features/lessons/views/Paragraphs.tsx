/** Plain text, never markup: empty lines separate paragraphs, backticks enclose code. */
export function Paragraphs({ text }: { text: string }) {
  if (text === '') return null
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => (
      <p key={paragraph}>
        <Words text={paragraph} />
      </p>
    ))
}

/** Odd parts were between backticks; an unclosed backtick remains text. */
export function Words({ text }: { text: string }) {
  return (
    text
      .split(/`([^`]+)`/)
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
  )
}
