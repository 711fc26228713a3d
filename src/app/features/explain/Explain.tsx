/** Unknown terms are plain text. */
import type { ReactNode } from 'react'
import type { WordKind } from './entry'
import type { FieldAddress } from './served-field'
import { PROMPTS } from './shell-texts'
import { explain, useGlossary } from './state'

interface ExplainProps {
  word: WordKind
  /** The name in the API. */
  name: string
  children?: ReactNode
}

export function Explain({ word, name, children = name }: ExplainProps) {
  const glossary = useGlossary()
  if (glossary?.entryOf(word, name) === undefined) return children
  return (
    <button
      type="button"
      className="explain"
      aria-haspopup="dialog"
      title={PROMPTS.word}
      onClick={({ currentTarget }) => explain({ word, name }, currentTarget)}
    >
      {children}
    </button>
  )
}

interface ExplainFieldProps extends FieldAddress {
  children: ReactNode
}

export function ExplainField({ children, ...field }: ExplainFieldProps) {
  return (
    <button
      type="button"
      className="explain"
      aria-haspopup="dialog"
      title={PROMPTS.field}
      onClick={({ currentTarget }) => explain({ field }, currentTarget)}
    >
      {children}
    </button>
  )
}
