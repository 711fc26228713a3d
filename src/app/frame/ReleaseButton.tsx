import { runCommand } from '../commands/registry'
import { Icon } from '../components/Icon'
import { useRelease } from '../state/settings'

export function ReleaseButton() {
  const release = useRelease()
  return (
    <button
      type="button"
      className="button release"
      aria-haspopup="dialog"
      aria-label={`Kubernetes release ${release}`}
      onClick={() => runCommand('release')}
    >
      <span className="wide-only">Kubernetes</span> {release} <Icon name="down" size={12} />
    </button>
  )
}
