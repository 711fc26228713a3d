/** YAML to read: light, selectable, coloured by a few rules. For editing there is the editor. */
import { memo } from 'react'

export const YamlView = memo(function YamlView({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="code" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position
        <div key={index} className="code-line">
          <span className="code-number" aria-hidden="true">
            {index + 1}
          </span>
          <code>{coloured(line)}</code>
        </div>
      ))}
    </section>
  )
})

function coloured(line: string) {
  const match = /^(\s*(?:- )*)([^\s:'"][^:]*|"[^"]*"|'[^']*')(:)(\s.*|$)/.exec(line)
  if (!match) return <span className="code-value">{line}</span>
  const [, lead, key, colon, value] = match
  return (
    <>
      {lead}
      <span className="code-key">{key}</span>
      {colon}
      <span className="code-value">{value}</span>
    </>
  )
}
