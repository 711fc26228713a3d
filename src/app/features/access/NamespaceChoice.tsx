import { useCluster } from '../../state/cluster'
import { SHARED } from './texts'

function useNamespaces(): string[] {
  const kinds = useCluster((state) => state.kinds)
  return [...(kinds.get('/namespaces')?.objects.values() ?? [])].map(({ name }) => name).sort()
}

interface NamespaceChoiceProps {
  id?: string
  label: string
  value: string
  disabled?: boolean
  onChoose(namespace: string): void
}

export function NamespaceChoice({
  id,
  label,
  value,
  disabled = false,
  onChoose,
}: NamespaceChoiceProps) {
  const names = useNamespaces()
  return (
    <select
      id={id}
      className="field"
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{SHARED.allNamespaces}</option>
      {(value === '' || names.includes(value) ? names : [value, ...names]).map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}
