import { Icon } from './Icon'

export interface FilterFieldProps {
  label: string
  hint: string
  words: string
  onChange(words: string): void
}

export function FilterField({ label, hint, words, onChange }: FilterFieldProps) {
  return (
    <div className="field with-icon grow-field">
      <Icon name="filter" />
      <input
        type="search"
        placeholder={hint}
        aria-label={label}
        value={words}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
