/** `Title: https://…` as a link. */
export function Reference({ text }: { text: string }) {
  const [, title, url] = /^(.+): (https:\/\/\S+)$/.exec(text) ?? []
  if (url === undefined) return text
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {title}
    </a>
  )
}
