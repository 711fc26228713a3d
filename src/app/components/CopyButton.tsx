import { copyText } from './copy'
import { Icon } from './Icon'

interface CopyButtonProps {
  text(): string
  /** Begins the notice: `The link`. */
  what: string
  label: string
}

export function CopyButton({ text, what, label }: CopyButtonProps) {
  return (
    <button type="button" className="button small" onClick={() => void copyText(text(), what)}>
      <Icon name="copy" size={14} /> {label}
    </button>
  )
}
